import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** The text the program replaces by the data of a run. */
const PLACEHOLDER = '/*TIPPE-DATA*/null';

/**
 * Folds script and style into the page, so that a report is one file that opens from disk.
 *
 * The script goes to the end of the body as a module: modules run after the document is parsed,
 * hence after the data element exists.
 */
function singleFile(): Plugin {
  return {
    name: 'tippe-single-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') this.error('the bundle holds no index.html');

      let script = '';
      let style = '';
      for (const [name, file] of Object.entries(bundle)) {
        if (file === page) continue;
        if (file.type === 'chunk') script += file.code;
        else if (name.endsWith('.css')) style += file.source;
        else this.error(`no way to fold ${name} into the page`);
        delete bundle[name];
      }

      const notices = Object.keys(JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')).dependencies).map((name) => {
        const licence = readFileSync(new URL(`./node_modules/${name}/LICENSE`, import.meta.url), 'utf8');
        return `This page contains ${name}:\n\n${licence.trim()}\n`;
      });
      // Replacements are functions because "$" in a replacement string has a meaning of its own.
      const html = String(page.source)
        .replace(/\s*<script type="module"[^>]*src=[^>]*><\/script>/g, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/g, '')
        .replace('<!doctype html>', () => `<!doctype html>\n<!--\nTippe viewer: Apache License 2.0.\n\n${notices.join('\n')}-->`)
        .replace('</head>', () => `<style>${style.trim().replaceAll('</style', '<\\/style')}</style>\n  </head>`)
        .replace('</body>', () => `<script type="module">${script.trim().replaceAll('</script', '<\\/script')}</script>\n  </body>`);

      if (html.split(PLACEHOLDER).length !== 2) this.error(`${PLACEHOLDER} must occur exactly once`);
      page.fileName = 'report.html';
      page.source = html;
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [singleFile()],
  build: {
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    reportCompressedSize: false,
    rollupOptions: {
      output: { entryFileNames: 'viewer.js', assetFileNames: 'viewer[extname]' },
    },
  },
  test: { environment: 'node', include: ['tests/**/*.test.ts'] },
});
