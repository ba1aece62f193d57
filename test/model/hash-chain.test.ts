import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HashChain } from '../../src/model/hash-chain.js';

function digestOf(feed: (chain: HashChain) => void): string {
  const chain = new HashChain();
  feed(chain);
  return chain.digest();
}

const number = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: false }),
  fc.constantFrom(-(2 ** 31), 2 ** 31, 2 ** 31 - 1, 0, 0.5, Number.NaN, Number.POSITIVE_INFINITY),
);
const sequence = fc.array(number, { maxLength: 12 });

describe('a hash chain', () => {
  it('tells sequences apart that are fed as integers, whatever their numbers are', () => {
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const [first, second] = [a, b].map((each) =>
          digestOf((chain) => {
            for (const value of each) chain.integer(value);
          }),
        );
        // Zeros of both signs are one number.
        const isSame = a.length === b.length && a.every((value, i) => Object.is(value + 0, (b[i] ?? 0) + 0));
        expect(first === second).toBe(isSame);
      }),
      {
        numRuns: 500,
        examples: [
          [[-(2 ** 31)], [-(2 ** 31), 0, 0]],
          [[2 ** 31], [0, 0, 0]],
        ],
      },
    );
  });

  it('is the same wherever its block ends', () => {
    const values = Array.from({ length: 40_000 }, (_, i) =>
      i % 3 === 0 ? i : i % 3 === 1 ? i / 7 : 2 ** 40 + i,
    );
    const whole = digestOf((chain) => {
      for (const value of values) chain.integer(value);
    });
    const looked = digestOf((chain) => {
      for (const [i, value] of values.entries()) {
        chain.integer(value);
        if (i % 997 === 0) chain.digest();
      }
    });
    expect(looked).toBe(whole);
  });

  it('tells a number from a text, and texts by where they end', () => {
    const digests = [
      digestOf((chain) => chain.text('ab').text('c')),
      digestOf((chain) => chain.text('a').text('bc')),
      digestOf((chain) => chain.text('abc')),
      digestOf((chain) => chain.number(1)),
      digestOf((chain) => chain.integer(1)),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });
});
