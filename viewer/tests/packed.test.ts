import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Column } from '../src/column';
import { unpack } from '../src/packed';
import { encode } from './helpers';

/** Written by hand as the program describes it: planes of bytes of zigzagged differences. */
function planes(numbers: bigint[], bytes: number): number[] {
  return Array.from({ length: bytes }, (_, byte) => numbers.map((number) => Number((number >> BigInt(8 * byte)) & 0xffn))).flat();
}
const zigzag = (d: bigint, bits: number) => BigInt.asUintN(bits, (d << 1n) ^ (BigInt.asIntN(bits, d) < 0n ? -1n : 0n));
const bitsOf = (value: number) => new BigUint64Array(Float64Array.of(value).buffer)[0];

function packed(columns: Record<string, object>, bytes: number[]): object {
  return { ...columns, packed: { bytes: bytes.length, deflate: deflateSync(Uint8Array.from(bytes)).toString('base64') } };
}
const valuesOf = (column: unknown) => [...(column as Column).values];

describe('unpack', () => {
  it('finds exact numbers as they were, differences of any order', async () => {
    const times = [0, 0.1, 0.1, 0.30000000000000004, -1e300, Number.MIN_VALUE, 2];
    for (const order of [0, 1, 2]) {
      let numbers = times.map(bitsOf);
      for (let pass = 0; pass < order; pass++) numbers = numbers.map((number, k) => BigInt.asUintN(64, number - (k === 0 ? 0n : numbers[k - 1])));
      const bytes = planes(numbers.map((number) => zigzag(number, 64)), 8);
      const document = (await unpack(packed({ t: { code: 'exact', n: times.length, at: 0, order } }, bytes))) as { t: Column };
      expect(document.t.length).toBe(times.length);
      expect(valuesOf(document.t)).toEqual(times);
    }
  });

  it('scales whole numbers, and knows what is not finite; of several components each has its own differences', async () => {
    const steps = [5n, 100n, 6n, 0xffffffffn, 7n, 0xfffffffen, 8n, 0xfffffffdn];
    const differences = steps.map((step, k) => BigInt.asUintN(32, step - (k < 2 ? 0n : steps[k - 2])));
    const bytes = [99, 99, ...planes(differences.map((number) => zigzag(number, 32)), 4)];
    const document = (await unpack(packed({ a: { b: [{ code: 'scaled', n: 8, at: 2, order: 1, stride: 2, least: -1, step: 0.5 }] } }, bytes))) as { a: { b: Column[] } };
    expect(valuesOf(document.a.b[0])).toEqual([1.5, 49, 2, NaN, 2.5, Infinity, 3, -Infinity]);
  });

  it('reads the first halves of short floats', async () => {
    const halves = [0x3f80n, 0n, 0x7fc0n, 0x2b80n];
    const document = (await unpack(packed({ r: { code: 'short', n: 4, at: 0 } }, planes(halves, 2)))) as { r: Column };
    expect(valuesOf(document.r)).toEqual([1, 0, NaN, 2 ** -40]);
  });

  it('leaves alone what is not packed, and refuses what is damaged', async () => {
    const plain = { t: encode([1]) };
    expect(await unpack(plain)).toBe(plain);
    await expect(unpack(packed({ r: { code: 'short', n: 4, at: 3 } }, [0, 0, 0, 0, 0, 0, 0, 0]))).rejects.toThrow('damaged');
    await expect(unpack({ packed: { deflate: 'AAAA' } })).rejects.toThrow();
  });
});
