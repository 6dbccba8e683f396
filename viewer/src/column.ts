/** A column of numbers as it travels in a report: base64 of little-endian float64. */

/** How many bytes a base64 text stands for, without decoding it. */
export function base64ByteLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** Decodes base64 of little-endian float64. Browsers run on little-endian machines only. */
export function decodeFloat64(text: string): Float64Array {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new RangeError('is not base64');
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return new Float64Array(bytes.buffer);
}

/**
 * Decoded on first use: a report may hold many long columns, and most stay below the fold.
 * The length is known at once, so that a report can be checked without decoding it.
 */
export class Column {
  readonly length: number;
  #encoded: string;
  #decoded: Float64Array | null = null;

  constructor(base64: string) {
    const length = base64ByteLength(base64) / Float64Array.BYTES_PER_ELEMENT;
    if (!Number.isInteger(length)) throw new RangeError('is not base64 of whole 8-byte numbers');
    this.length = length;
    this.#encoded = base64;
  }

  get values(): Float64Array {
    if (this.#decoded === null) {
      this.#decoded = decodeFloat64(this.#encoded);
      this.#encoded = '';
    }
    return this.#decoded;
  }
}
