import { describe, expect, it } from 'vitest';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { wholeLiquidation } from './fee-cap.js';
import { type CoreClass, runHistory } from './histories.js';
import { type Mutant, mutatedCore } from './mutants.js';

/** Mistakes in the arithmetic of money that the laws must find in random histories. */
const MUTANTS: readonly Mutant[] = [
  {
    name: 'funding rounded half-even, its residue kept by nobody',
    edits: [
      {
        file: 'venue/core/funding.ts',
        find: 'return -divCeil(value * rate.numerator, rate.denominator);',
        replace: 'return -divHalfEven(value * rate.numerator, rate.denominator);',
      },
      { file: 'venue/core/risk-postings.ts', find: 'insurance.cash -= amount;', replace: '' },
    ],
  },
  {
    name: 'the average entry stored instead of the cost',
    edits: [
      {
        file: 'model/position.ts',
        find: 'cost: cost - costOut + BigInt(opening) * price,',
        replace: 'cost: divHalfEven(cost, BigInt(held)) * BigInt(held - closing) + BigInt(opening) * price,',
      },
    ],
  },
  {
    name: 'the average entry stored instead of the cost, in doubles',
    edits: [
      {
        file: 'venue/core/position-book.ts',
        find: 'costUnits.add(-out);',
        replace: 'costUnits.clear(); costUnits.add(Math.round(cost / held) * (held - lots));',
      },
    ],
  },
  {
    name: 'the price of a deleverage rounded the other way',
    edits: [
      {
        file: 'venue/core/liquidation-price.ts',
        find: 'const steps = isLong ? divCeil(amount, perStep) : divFloor(amount, perStep);',
        replace: 'const steps = isLong ? divFloor(amount, perStep) : divCeil(amount, perStep);',
      },
    ],
  },
];
const UNCAPPED: Mutant = {
  name: 'the liquidation fee not capped',
  edits: [
    {
      file: 'venue/core/risk-postings.ts',
      find: 'const fee = left < asked ? (left > 0n ? left : 0n) : asked;',
      replace: 'const fee = asked;',
    },
  ],
};

const HISTORIES = 150;
const STEPS = 120;

describe('the laws of money find', () => {
  it.each(MUTANTS)('$name', { timeout: 120_000 }, async (mutant) => {
    expect(firstBroken(await mutatedCore(mutant))).toBeDefined();
  });

  it('nothing in a core that was bundled the same way and not changed', { timeout: 120_000 }, async () => {
    expect(firstBroken(await mutatedCore({ name: 'none', edits: [] }))).toBeUndefined();
    expect(firstBroken(VenueCore)).toBeUndefined();
  });
});

describe('the fee of a liquidation', () => {
  const half = { insurance: 2_500_000_000n, fees: 2_500_000_000n };

  it('is at most what the liquidated group has left', () => {
    expect(wholeLiquidation(VenueCore)).toEqual(half);
  });

  it('is not that when it is not capped: the fund would pay a part of it', async () => {
    expect(wholeLiquidation(await mutatedCore(UNCAPPED))).not.toEqual(half);
  });
});

/** The first law that a history breaks, or what it throws: a core that stops is found out as well. */
function firstBroken(Core: CoreClass): string | undefined {
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { broken } = runHistory(Core, seed, STEPS);
    if (broken !== undefined) return `${seed}/${broken.step} ${broken.action}: ${broken.laws.join('; ')}`;
  }
  return undefined;
}
