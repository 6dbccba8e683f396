/**
 * The document of a pendulum that swings against a wall, made by hand: two samples at each impact,
 * bands of modes, forces, energies, a drawing. With many samples it is a large recording.
 */
import { encode } from './helpers';

const LENGTH = 1;
const GRAVITY = 9.81;
const MASS = 0.5;
const WALL = 0.25; // x of the wall, on which the pendulum comes to lean
const RESTITUTION = 0.6;
const FRICTION = 0.3;

interface Motion {
  t: number[];
  phi: number[];
  omega: number[];
  force: number[];
  friction: number[];
  /** Of the wall, summed. */
  impulse: number[];
  lost: number[];
  impacts: number[];
}

/** Semi-implicit Euler; at an impact the velocity before and after it are two samples of one time. */
function swing(samples: number, restitution: number): Motion {
  const motion: Motion = { t: [], phi: [], omega: [], force: [], friction: [], impulse: [], lost: [], impacts: [] };
  const dt = 4 / samples;
  let [t, phi, omega, lost, impulse] = [0, 0.9, 0, 0, 0];
  const record = (force: number) => {
    motion.t.push(t);
    motion.phi.push(phi);
    motion.omega.push(omega);
    motion.force.push(force);
    motion.friction.push(0.2 * force * Math.sin(3 * t));
    motion.impulse.push(impulse);
    motion.lost.push(lost);
  };
  record(NaN);
  while (motion.t.length < samples) {
    omega -= (GRAVITY / LENGTH) * Math.sin(phi) * dt;
    phi += omega * dt;
    t += dt;
    if (LENGTH * Math.sin(phi) > WALL || omega >= 0) {
      record(0);
      continue;
    }
    phi = Math.asin(WALL / LENGTH);
    const leans = omega > -0.05;
    if (!leans) record(0);
    lost += 0.5 * MASS * (LENGTH * omega) ** 2 * (1 - (leans ? 0 : restitution) ** 2);
    impulse += leans ? MASS * GRAVITY * Math.tan(phi) * dt : MASS * LENGTH * -(1 + restitution) * omega;
    omega = leans ? 0 : -restitution * omega;
    if (!leans) motion.impacts.push(t);
    record(leans ? MASS * GRAVITY * Math.tan(phi) : NaN);
  }
  return motion;
}

const series = (label: string, values: number[]) => ({ label, values: encode(values) });

function drawing() {
  const bob = [{ c: 0 }, { c: 1 }];
  return {
    version: 1,
    space: 'plane',
    primitives: [
      { kind: 'line', name: 'wall', part: null, points: [[WALL - 0.08, -1.2], [WALL - 0.08, -0.7]], closed: false },
      { kind: 'joint', name: 'pivot', at: [0, 0] },
      { kind: 'line', name: 'rod', part: null, points: [[0, 0], bob], closed: false },
      { kind: 'circle', name: 'bob', part: 0, center: bob, radius: 0.08, angle: { q: 0 } },
      { kind: 'text', at: [0, 0.08], text: 'pendulum' },
      { kind: 'contact', name: 'wall', law: 0, at: [{ c: 2 }, { c: 1 }], normal: [1, 0], tangents: [[0, 1]], gap: 0, rows: [0, 1], friction: [FRICTION] },
    ],
  };
}

function columns(motion: Motion): string[] {
  return [motion.phi.map((phi) => LENGTH * Math.sin(phi)), motion.phi.map((phi) => -LENGTH * Math.cos(phi)), motion.phi.map((phi) => LENGTH * Math.sin(phi) - 0.08)].map(encode);
}

const total = (motion: Motion) => motion.phi.map((phi, i) => 0.5 * MASS * (LENGTH * motion.omega[i]) ** 2 - MASS * GRAVITY * LENGTH * Math.cos(phi));

export function pendulumDocument(samples = 2000): any {
  const motion = swing(samples, RESTITUTION);
  const kinetic = motion.omega.map((omega) => 0.5 * MASS * (LENGTH * omega) ** 2);
  const potential = motion.phi.map((phi) => -MASS * GRAVITY * LENGTH * Math.cos(phi));
  const time = (id: string, title: string, lines: object[], more = {}) => ({ id, title, kind: 'time', axis: 'samples', log: false, unit: '', series: lines, ...more });
  return {
    format: 'tippe-report',
    version: 1,
    title: 'Pendulum against a wall',
    source: 'made by hand',
    scene_file: 'pendulum.toml',
    scene_text: 'tippe = 1\n',
    program: 'tippe 0.1.0',
    integrator: 'moreau',
    dt: 4 / samples,
    status: 'ok',
    message: null,
    summary: [
      { label: 'steps', value: String(samples) },
      { label: 'impacts', value: String(motion.impacts.length) },
      { label: 'lost in contacts', value: motion.lost[motion.lost.length - 1].toPrecision(6) },
    ],
    axes: { samples: encode(motion.t) },
    panels: [
      time('q', 'Coordinates', [series('phi', motion.phi)]),
      time('u', 'Velocities', [series("phi'", motion.omega)]),
      time('gap', 'Gaps', [series('wall', motion.phi.map((phi) => LENGTH * Math.sin(phi) - WALL))]),
      time('force', 'Contact forces, mean since the sample before', [series('wall.n', motion.force), series('wall.t', motion.friction)]),
      time('impulse', 'Contact impulses, summed', [series('wall.n', motion.impulse), series('wall.t', motion.impulse.map((sum) => 0.1 * sum))]),
      time('energy', 'Energy ledger', [series('kinetic', kinetic), series('potential', potential), series('total', total(motion)), series('lost in contacts', motion.lost)]),
      { id: 'phase', title: 'Phase plots', kind: 'phase', pairs: [{ label: 'phi', x_label: 'phi', y_label: "phi'", x: { panel: 'q', series: 0 }, y: { panel: 'u', series: 0 } }] },
    ],
    impacts: motion.impacts.map((at) => ({ time: at, contact: 'wall' })),
    events: null,
    replays: [{ run: 0, label: '', axis: 'samples', drawing: drawing(), columns: columns(motion) }],
  };
}

/** Two runs with different restitution on one page; panels as a comparison has them, one per quantity. */
export function comparisonDocument(samples = 2000): any {
  const motions = [swing(samples, RESTITUTION), swing(samples, 0.4)];
  const { t } = motions[0];
  // Impacts add samples at different times: both runs are read at the times of the first.
  const at = (motion: Motion, values: number[]) => t.map((time) => values[Math.max(0, motion.t.findIndex((other) => other >= time - 1e-12))]);
  const second: Motion = { ...motions[1], t, phi: at(motions[1], motions[1].phi), omega: at(motions[1], motions[1].omega) };
  const runs = [motions[0], second];
  const labels = ['restitution 0.6', 'restitution 0.4'];
  const panel = (id: string, title: string, values: (motion: Motion) => number[]) => ({
    id,
    title,
    kind: 'time',
    axis: 'samples',
    log: false,
    unit: '',
    runs: true,
    series: runs.map((motion, i) => series(labels[i], values(motion))),
  });
  return {
    ...pendulumDocument(samples),
    summary: [],
    impacts: [],
    runs: labels.map((label) => ({ label, integrator: label, dt: 4 / samples, shown: true })),
    table: { headings: ['run', 'steps'], rows: labels.map((label) => [label, String(samples)]) },
    axes: { samples: encode(t) },
    panels: [panel('energy', 'Total energy', total), panel('q phi', 'Coordinate phi', (motion) => motion.phi), panel('u phi', "Velocity phi'", (motion) => motion.omega)],
    replays: runs.map((motion, run) => ({ run, label: labels[run], axis: 'samples', q: [{ panel: 'q phi', series: run }], gap: [], force: [], drawing: drawing(), columns: columns(motion) })),
  };
}
