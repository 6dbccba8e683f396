/**
 * Shows one of the motions of this folder: ?scene=wheel&at=0.3 (the fraction of its duration; without it the
 * motion plays). With &ghost a second picture runs behind, &measure=40 writes the mean time of 40 frames into the title,
 * and trails, names, normals, noforces, nocones, force=2 set the options.
 */
import '../src/style.css';
import { watchTheme, themeChanged } from '../src/theme';
import { DEFAULT_OPTIONS, makeStage } from '../src/stage/stage';
import { pictureOf, type Motion } from './motion';
import * as plane from './plane_scenes';
import * as space from './space_scenes';

const scenes: Record<string, Motion> = { ...plane, ...space };
const query = new URLSearchParams(location.search);
const name = query.get('scene') ?? 'wheel';
const picture = pictureOf(scenes[name]);
const stage = makeStage(query.has('ghost') ? [picture, picture] : [picture]);
document.getElementById('box')!.append(stage.element);
stage.setOptions({
  ...DEFAULT_OPTIONS,
  trails: query.has('trails'),
  names: query.has('names'),
  normals: query.has('normals'),
  forces: !query.has('noforces'),
  cones: !query.has('nocones'),
  forceScale: Number(query.get('force') ?? 1),
});
watchTheme();
themeChanged.listen(() => stage.setTheme());
Object.assign(window, { stage });
stage.resize();

const last = picture.times.length - 1;
const showAt = (place: number) => {
  const sample = Math.floor(place);
  stage.show([sample, Math.max(0, sample - 40)], place - sample);
};

if (query.has('measure')) measure();
else if (query.has('at')) showAt(Number(query.get('at')) * last);
else play(performance.now());

function play(start: number): void {
  showAt((((performance.now() - start) / 1000 / scenes[name].duration) % 1) * last);
  requestAnimationFrame(() => play(start));
}

/** Waits for the pixels, so that the work of the graphics processor, or of what stands in for it, counts. */
function measure(): void {
  const canvas = stage.element.querySelector('canvas')!;
  const gl = canvas.getContext('webgl2');
  const finish = () => (gl === null ? void canvas.getContext('2d')!.getImageData(0, 0, 1, 1) : gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)));
  showAt(0);
  finish();
  const frames = Number(query.get('measure')) || 12;
  let own = 0;
  const start = performance.now();
  for (let i = 0; i < frames; i++) {
    const before = performance.now();
    showAt((i * last) / frames);
    own += performance.now() - before;
    finish();
  }
  const total = (performance.now() - start) / frames;
  document.title = `measured ${total.toFixed(1)} ms a frame, ${(own / frames).toFixed(1)} ms of it in show()`;
}
