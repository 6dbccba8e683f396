/** Rotations: quaternions (w, x, y, z) and matrices as nine numbers, column after column. */

export type Numbers = Float64Array | number[];

/** Writes the matrix of a unit quaternion. */
export function matrixOfQuaternion(q: Numbers, out: Numbers): void {
  const [w, x, y, z] = q;
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y + w * z);
  out[2] = 2 * (x * z - w * y);
  out[3] = 2 * (x * y - w * z);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z + w * x);
  out[6] = 2 * (x * z + w * y);
  out[7] = 2 * (y * z - w * x);
  out[8] = 1 - 2 * (x * x + y * y);
}

/**
 * Writes the unit quaternion of a rotation matrix. The largest of the four components is taken
 * from the diagonal and the others are divided by it, so that no division is by a small number.
 */
export function quaternionOfMatrix(m: Numbers, out: Numbers): void {
  const [xx, yy, zz] = [m[0], m[4], m[8]];
  const squares = [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz]; // 4 w^2, 4 x^2, ...
  let largest = 0;
  for (let i = 1; i < 4; i++) if (squares[i] > squares[largest]) largest = i;
  const [wx, wy, wz] = [m[5] - m[7], m[6] - m[2], m[1] - m[3]]; // 4 w x, 4 w y, 4 w z
  const [xy, xz, yz] = [m[1] + m[3], m[2] + m[6], m[5] + m[7]];
  if (largest === 0) set4(out, squares[0], wx, wy, wz);
  else if (largest === 1) set4(out, wx, squares[1], xy, xz);
  else if (largest === 2) set4(out, wy, xy, squares[2], yz);
  else set4(out, wz, xz, yz, squares[3]);
  normalize4(out);
}

export function set4(out: Numbers, w: number, x: number, y: number, z: number): void {
  out[0] = w;
  out[1] = x;
  out[2] = y;
  out[3] = z;
}

export function normalize4(q: Numbers): void {
  const length = Math.hypot(q[0], q[1], q[2], q[3]);
  for (let i = 0; i < 4; i++) q[i] /= length;
}

/** Below this angle between two quaternions the chord and the arc agree to round-off. */
const SMALL_ANGLE = 1e-6;

/** Turns `a` towards `b` by the fraction `alpha` of the shorter way, at constant speed, and writes it to `a`. */
export function slerp(a: Numbers, b: Numbers, alpha: number): void {
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = dot < 0 ? -1 : 1; // q and -q are the same rotation
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const near = angle < SMALL_ANGLE;
  const weightA = near ? 1 - alpha : Math.sin((1 - alpha) * angle) / Math.sin(angle);
  const weightB = sign * (near ? alpha : Math.sin(alpha * angle) / Math.sin(angle));
  for (let i = 0; i < 4; i++) a[i] = weightA * a[i] + weightB * b[i];
  normalize4(a);
}
