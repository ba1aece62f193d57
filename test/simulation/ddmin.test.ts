import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ddmin } from '../../src/simulation/ddmin.js';

const has = (part: readonly number[], wanted: readonly number[]) =>
  wanted.every((each) => part.includes(each));

test('what is left is exactly the part that fails, when one part does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(1_000), { minLength: 1, maxLength: 60 }),
      fc.infiniteStream(fc.boolean()),
      async (whole, coins) => {
        const wanted = whole.filter(() => coins.next().value === true);
        const left = await ddmin(whole, async (part) => has(part, wanted));
        expect(left).toEqual(wanted);
      },
    ),
    { numRuns: 200 },
  );
});

test('leaving out any one element of the result makes the failure go away, whatever the failure is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 60 }),
      async (whole, least) => {
        const fails = async (part: readonly number[]) => part.reduce((sum, each) => sum + each, 0) >= least;
        fc.pre(await fails(whole));
        const left = await ddmin(whole, fails);
        expect(await fails(left)).toBe(true);
        for (let i = 0; i < left.length; i++) expect(await fails(left.toSpliced(i, 1))).toBe(false);
      },
    ),
    { numRuns: 200 },
  );
});

test('a failure that needs nothing leaves nothing, after one try', async () => {
  let tries = 0;
  const left = await ddmin([1, 2, 3], async () => {
    tries++;
    return true;
  });
  expect(left).toEqual([]);
  expect(tries).toBe(1);
});

test('it stops after as many tries as it may make, with a list that still fails', async () => {
  const whole = Array.from({ length: 100 }, (_, index) => index);
  let tries = 0;
  const fails = async (part: readonly number[]) => {
    tries++;
    return has(part, [7, 40, 77, 98]);
  };
  const left = await ddmin(whole, fails, 10);
  expect(tries).toBe(10);
  expect(has(left, [7, 40, 77, 98])).toBe(true);
  expect(left.length).toBeLessThan(100);
});
