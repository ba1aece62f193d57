import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TapeEvent } from '../../src/market-data/id-ledger.js';
import { TradeWalker, type TradeWalkerOptions } from '../../src/market-data/trade-walker.js';
import type { Trade } from '../../src/model/trade.js';
import { SILENT } from '../../src/ports/log.js';
import { BTC } from '../support/markets.js';

const ORIGIN = 1_700_000_000_000;
/** No print can lie beyond it. */
const LATEST = ORIGIN + 3_600_000;
/** Lies ahead of the clock, and is taken back: a walker that has seen it never goes the short way again. */
const AHEAD: Trade = { id: '0', time: LATEST + 1, price: 100, quantity: 1, isBuyerMaker: true };

interface Print {
  /** After the print before it, ms. */
  readonly after: number;
  readonly price: number;
  /** The walks that do not see it yet. */
  readonly lateBy: number;
  /** It is told twice, the second time so many ms later. */
  readonly again: number | undefined;
  /** Nobody ever sees it. */
  readonly isLost: boolean;
}

const print: fc.Arbitrary<Print> = fc.record({
  after: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3_000 })),
  price: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 90, max: 110 }) },
    fc.constantFrom(0, Number.NaN),
  ),
  lateBy: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
  again: fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, fc.integer({ min: 0, max: 40 })),
  isLost: fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, fc.constant(true)),
});
/** What is printed before each walk: usually as little as a walk takes the short way with. */
const walks = fc.array(
  fc.record({
    prints: fc.oneof(
      { weight: 5, arbitrary: fc.array(print, { maxLength: 4 }) },
      fc.array(print, { maxLength: 30 }),
    ),
    /** Two prints of one ms, the second of them the first in the list. */
    isCrowded: fc.boolean(),
    isCovered: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);
const how = fc.record({
  limit: fc.constantFrom(4, 12, 100),
  contiguousIds: fc.boolean(),
  visibilityLagMs: fc.constantFrom(0, 500),
  newestFirst: fc.boolean(),
  /** The most that the venue gives, whatever it is asked for. */
  gives: fc.constantFrom(3, 10, 1_000),
});

interface Shown {
  readonly trade: Trade;
  readonly fromWalk: number;
}

function tradeOf(id: number, time: number, price: number): Trade {
  return { id: String(id), time, price, quantity: 1, isBuyerMaker: id % 2 === 0 };
}

/** What each walk along such a tape says, by a walker that has seen a print ahead of the clock or has not. */
async function storyOf(
  steps: readonly { readonly shown: readonly Shown[]; readonly covered: number | undefined }[],
  {
    newestFirst,
    gives,
    ...options
  }: Pick<TradeWalkerOptions, 'limit' | 'contiguousIds' | 'visibilityLagMs'> & {
    readonly newestFirst: boolean;
    readonly gives: number;
  },
  isAhead: boolean,
) {
  let walked = 0;
  const api: TradeWalkerOptions['api'] = {
    trades: async ({ from = 0, to = Number.POSITIVE_INFINITY, limit: most = 0, pair }) => {
      const shown = steps
        .slice(0, walked + 1)
        .flatMap((step) => step.shown)
        .filter(({ fromWalk }) => fromWalk <= walked)
        .map(({ trade }) => trade);
      const inside = [...shown, ...(isAhead && walked === 0 ? [AHEAD] : [])].filter(
        ({ time }) => time >= from && time <= to,
      );
      const page = inside.sort((a, b) => b.time - a.time).slice(0, Math.min(most, gives));
      return (newestFirst ? page : page.reverse()).map((trade) => ({ ...trade, pair }));
    },
  };
  const walker = new TradeWalker({
    pair: BTC.pair,
    api,
    log: SILENT,
    ...options,
  });
  const latest = () => LATEST;
  const story: (readonly TapeEvent[])[] = [];
  for (const { covered } of steps) {
    const walk = walked === 0 ? walker.warmUp(ORIGIN, { covered, latest }) : walker.walk({ covered, latest });
    const { events } = await walk;
    story.push(events.filter((event) => !isOfAhead(event)));
    walked++;
  }
  return story;
}

function isOfAhead(event: TapeEvent): boolean {
  return event.kind === 'gap' && event.misprint?.startsWith('a time must be at most') === true;
}

test('the short way of a usual walk tells what the long one does', async () => {
  await fc.assert(
    fc.asyncProperty(walks, how, async (rounds, options) => {
      let id = 1;
      let time = ORIGIN + 1_000;
      const first = { shown: [{ trade: tradeOf(id, time, 100), fromWalk: 0 }], covered: undefined };
      const steps = rounds.map(({ prints, isCrowded, isCovered }, index) => {
        const shown: Shown[] = [];
        for (const { after, price, lateBy, again, isLost } of prints) {
          id++;
          time += after;
          if (isLost) continue;
          const fromWalk = index + 1 + lateBy;
          shown.push({ trade: tradeOf(id, time, price), fromWalk });
          if (again !== undefined) shown.push({ trade: tradeOf(id, time + again, price + 1), fromWalk });
        }
        const last = shown.at(-1);
        if (isCrowded && last !== undefined) {
          shown.push({ ...last, trade: tradeOf(++id, last.trade.time, 100) });
        }
        time += 50;
        return { shown, covered: isCovered ? time - 20 : undefined };
      });
      const short = await storyOf([first, ...steps], options, false);
      const long = await storyOf([first, ...steps], options, true);
      expect(short).toEqual(long);
    }),
    { numRuns: 1_000 },
  );
});
