/** A column of numbers as it travels in a report: base64 of little-endian float64, or a part of a packed block (packed.ts). */

/** How many bytes a base64 text stands for, without decoding it. */
export function base64ByteLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

export function base64Bytes(text: string): Uint8Array {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new RangeError('is not base64');
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Decodes base64 of little-endian float64. Browsers run on little-endian machines only. */
export function decodeFloat64(text: string): Float64Array {
  return new Float64Array(base64Bytes(text).buffer as ArrayBuffer);
}

/**
 * Decoded on first use: a report may hold many long columns, and most stay below the fold.
 * The length is known at once, so that a report can be checked without decoding it.
 */
export class Column {
  readonly length: number;
  #decode: (() => Float64Array) | null;
  #decoded: Float64Array | null = null;

  constructor(base64: string) {
    const length = base64ByteLength(base64) / Float64Array.BYTES_PER_ELEMENT;
    if (!Number.isInteger(length)) throw new RangeError('is not base64 of whole 8-byte numbers');
    this.length = length;
    this.#decode = () => decodeFloat64(base64);
  }

  /** Of numbers that are made from others. */
  static lazy(length: number, decode: () => Float64Array): Column {
    const column = new Column('');
    (column as { length: number }).length = length;
    column.#decode = decode;
    return column;
  }

  get values(): Float64Array {
    if (this.#decoded === null) {
      this.#decoded = this.#decode!();
      this.#decode = null;
    }
    return this.#decoded;
  }
}
