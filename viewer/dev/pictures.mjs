/**
 * Renders the motions of this folder to PNG files with headless Chromium:
 *
 *     node dev/pictures.mjs FOLDER [scene?options ...]
 */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createServer } from 'vite';

const DEFAULT = [
  'pendulum&at=0.6&trails', 'wheel&at=0.2&names', 'woodpecker&at=0.53', 'shapes&at=0.1&names', 'top&at=0.5&trails',
  'stack&at=0.4', 'billiards&at=0.5&trails', 'solids&at=0.2&names', 'wheel&at=0.4&ghost', 'top&at=0.3&ghost&normals', 'many&at=0.3', 'manyInPlane&at=0.3',
];
const [folder, ...asked] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const server = await createServer({ root: fileURLToPath(new URL('..', import.meta.url)), configFile: false, logLevel: 'error', server: { port: 0 } });
await server.listen();
const { port } = server.httpServer.address();

for (const scene of asked.length > 0 ? asked : DEFAULT) {
  for (const dark of [false, true]) {
    const picture = `${folder}/${scene.replaceAll(/[&=]/g, '-')}${dark ? '-dark' : ''}.png`;
    const options = ['--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--hide-scrollbars', '--window-size=800,560'];
    if (dark) options.push('--blink-settings=preferredColorScheme=0');
    options.push('--virtual-time-budget=4000', `--screenshot=${picture}`, `http://localhost:${port}/dev/index.html?scene=${scene}`);
    await promisify(execFile)('chromium', options, { timeout: 60_000 });
    console.log(picture);
  }
}
await server.close();
