/**
 * Columns as they travel in a page: one compressed block of bytes, and for each column where its numbers are in it.
 *
 * Numbers are whole ones of 2, 4 or 8 bytes, as differences of some order, written plane by plane: all lowest bytes first.
 */
import { base64Bytes, Column } from './column';

interface Place {
  code: 'exact' | 'scaled' | 'short';
  n: number;
  at: number;
  order?: number;
  stride?: number;
  least?: number;
  step?: number;
}

const NAN = 0xffffffff;
const INFINITY = 0xfffffffe;
const MINUS_INFINITY = 0xfffffffd;

/** The document with columns in the places of what described them. What is not packed stays as it is. */
export async function unpack(document: unknown): Promise<unknown> {
  const packed = (document as { packed?: { deflate?: unknown } } | null)?.packed;
  if (typeof packed?.deflate !== 'string') return document;
  const block = await inflate(base64Bytes(packed.deflate));
  return withColumns(document, block);
}

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  if (typeof DecompressionStream === 'undefined') throw new Error('This browser is too old to read compressed data: Chrome 80, Firefox 113 and Safari 16.4 can.');
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function withColumns(value: unknown, block: Uint8Array): unknown {
  if (Array.isArray(value)) return value.map((entry) => withColumns(entry, block));
  if (typeof value !== 'object' || value === null) return value;
  if ('code' in value && 'at' in value) return columnOf(value as Place, block);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withColumns(entry, block)]));
}

function columnOf(place: Place, block: Uint8Array): Column {
  const bytes = { exact: 8, scaled: 4, short: 2 }[place.code];
  if (bytes === undefined || !(place.n >= 0) || !(place.at >= 0) || place.at + bytes * place.n > block.length) throw new Error('The data in this page are damaged: a column reaches beyond their end.');
  return Column.lazy(place.n, () => (place.code === 'exact' ? exact(place, block) : place.code === 'scaled' ? scaled(place, block) : short(place, block)));
}

/** Bytes `first` and the three after it of every number. */
function words({ n, at }: Place, block: Uint8Array, first = 0): Uint32Array {
  const numbers = new Uint32Array(n);
  const planes = [0, 1, 2, 3].map((byte) => at + (first + byte) * n);
  for (let k = 0; k < n; k++) numbers[k] = block[planes[0] + k] | (block[planes[1] + k] << 8) | (block[planes[2] + k] << 16) | (block[planes[3] + k] << 24);
  return numbers;
}

function scaled(place: Place, block: Uint8Array): Float64Array {
  const { n, order = 0, stride = 1, least = 0, step = 0 } = place;
  const numbers = words(place, block);
  for (let k = 0; k < n; k++) numbers[k] = (numbers[k] >>> 1) ^ -(numbers[k] & 1);
  for (let pass = 0; pass < order; pass++) for (let k = stride; k < n; k++) numbers[k] += numbers[k - stride];
  return Float64Array.from(numbers, (number) => {
    if (number < MINUS_INFINITY) {
      const value = least + number * step;
      return Math.abs(value) < step / 2 ? 0 : value; // not what is left of zero
    }
    return number === NAN ? NaN : number === INFINITY ? Infinity : -Infinity;
  });
}

function short({ n, at }: Place, block: Uint8Array): Float64Array {
  const bits = new Uint32Array(n);
  for (let k = 0; k < n; k++) bits[k] = (block[at + k] << 16) | (block[at + n + k] << 24);
  return Float64Array.from(new Float32Array(bits.buffer));
}

/** Sums of 64 bits, as pairs of 32. */
function exact(place: Place, block: Uint8Array): Float64Array {
  const { n, order = 0 } = place;
  const low = words(place, block, 0);
  const high = words(place, block, 4);
  for (let k = 0; k < n; k++) {
    const sign = -(low[k] & 1);
    low[k] = (((low[k] >>> 1) | (high[k] << 31)) ^ sign) >>> 0;
    high[k] = ((high[k] >>> 1) ^ sign) >>> 0;
  }
  for (let pass = 0; pass < order; pass++) {
    for (let k = 1; k < n; k++) {
      const sum = low[k] + low[k - 1];
      low[k] = sum;
      high[k] = high[k] + high[k - 1] + (sum > 0xffffffff ? 1 : 0);
    }
  }
  const pairs = new Uint32Array(2 * n);
  for (let k = 0; k < n; k++) {
    pairs[2 * k] = low[k];
    pairs[2 * k + 1] = high[k];
  }
  return new Float64Array(pairs.buffer);
}
