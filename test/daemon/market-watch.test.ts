import { afterEach, describe, expect, it } from 'vitest';
import { feeChange, filterChange, positionTermChange } from '../../src/daemon/market-change.js';
import { MarketWatch } from '../../src/daemon/market-watch.js';
import {
  DEFAULT_FUNDING,
  DEFAULT_LIQUIDATION,
  defineMarket,
  defineMarketOn,
  type Market,
  type MarketSpec,
} from '../../src/model/market.js';
import { SILENT } from '../../src/ports/log.js';
import { marketSpecOf } from '../../src/storage/market-spec.js';
import { BTC } from '../support/markets.js';
import { VirtualTime } from '../support/virtual-time.js';

const spec = marketSpecOf(BTC);
const withSpec = (change: Partial<MarketSpec>): Market => defineMarket({ ...spec, ...change });
const COARSER = withSpec({ price: { ...spec.price, step: '0.5' } });
const CHANGE = 'price step 0.1 → 0.5';

describe('what orders have to fit in', () => {
  it('is compared filter by filter', () => {
    expect(filterChange(BTC, BTC)).toBeUndefined();
    expect(filterChange(BTC, COARSER)).toBe(CHANGE);
    const narrow = withSpec({ quantity: { min: '0.002', max: '50', step: '0.001' } });
    expect(filterChange(BTC, narrow)).toContain('quantity min 0.001 → 0.002, quantity max ');
  });

  it('is no other one on finer grids, with other fees, or while nothing is traded', () => {
    expect(filterChange(defineMarketOn({ price: 3, quantity: 5 }, spec), BTC)).toBeUndefined();
    const fees = { maker: '0', taker: '0.001', liquidation: '0' };
    expect(filterChange(BTC, withSpec({ fees, active: false }))).toBeUndefined();
  });
});

const DEARER = withSpec({ fees: { ...spec.fees, maker: '-0.00025', taker: '0.0009' } });
const FEES = 'maker 0.02% → -0.025%, taker 0.06% → 0.09%';

describe('what is paid for a fill', () => {
  it('is compared rate by rate, in percent', () => {
    expect(feeChange(BTC, BTC)).toBeUndefined();
    expect(feeChange(BTC, COARSER)).toBeUndefined();
    expect(feeChange(BTC, DEARER)).toBe(FEES);
    expect(feeChange(BTC, withSpec({ fees: { ...spec.fees, liquidation: '1' } }))).toBe(
      'liquidation 0.3% → 100%',
    );
    expect(feeChange(defineMarketOn({ price: 3, quantity: 5 }, spec), BTC)).toBeUndefined();
  });
});

const STRICTER_TERMS = 'initial margin 1% → 2%, initial margin per unit of notional 0% → 0.00000015%';
const RARER = withSpec({ funding: { ...DEFAULT_FUNDING, intervalMs: 28_800_000 } });

describe('what a position is held to', () => {
  const margin = { initial: '0.01', maintenance: '0.005', initialRiskLimit: '0', maintenanceRiskLimit: '0' };
  const liquidation = { ...DEFAULT_LIQUIDATION, minLiquidate: '2500', insurancePercentage: '0.5' };
  const funding = { ...DEFAULT_FUNDING, intervalMs: 28_800_000, max: '0.0075' };

  it('is compared rule by rule', () => {
    expect(positionTermChange(BTC, BTC)).toBeUndefined();
    expect(positionTermChange(BTC, COARSER)).toBeUndefined();
    expect(positionTermChange(BTC, DEARER)).toBeUndefined();
    expect(positionTermChange(defineMarketOn({ price: 3, quantity: 5 }, spec), BTC)).toBeUndefined();
    const before = withSpec({ margin });
    const stricter = withSpec({ margin: { ...margin, initial: '0.02', initialRiskLimit: '0.0000000015' } });
    expect(positionTermChange(before, stricter)).toBe(STRICTER_TERMS);
    expect(positionTermChange(BTC, withSpec({ liquidation }))).toBe(
      'liquidated whole below 1000 → 2500, insurance share of liquidation fees 100% → 50%',
    );
    expect(positionTermChange(BTC, withSpec({ funding }))).toBe(
      'funding every 1h → 8h, highest funding rate 0.3% → 0.75%',
    );
  });
});

let watch: MarketWatch | undefined;
afterEach(() => watch?.stop());

function watching(renews: 'renews' | 'cannot renew' | 'paper' = 'renews') {
  const time = new VirtualTime();
  /** Answers in turn, the last one for ever. */
  const answers: (readonly Market[] | Error)[] = [[BTC]];
  const desk = {
    time,
    answers,
    running: [BTC] as readonly Market[],
    asked: 0,
    renewed: [] as string[],
    told: [] as string[],
  };
  const renew = (pair: string, why: string) => {
    desk.renewed.push(`${pair}: ${why}`);
    return renews === 'renews';
  };
  watch = new MarketWatch({
    clock: time.clock,
    timers: time.timers,
    log: SILENT,
    running: () => desk.running,
    list() {
      desk.asked++;
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) return Promise.reject(answer);
      return Promise.resolve(new Map((answer ?? []).map((market) => [market.pair, market])));
    },
    renew: renews === 'paper' ? undefined : renew,
    tell(pair, text) {
      expect(pair).toBe(BTC.pair);
      desk.told.push(text);
    },
  });
  return Object.assign(desk, { problems: () => watch?.problems ?? [] });
}

describe('a watch over the markets of the venue', () => {
  it('asks each minute, and has nothing to say while nothing changes', async () => {
    const desk = watching();
    await desk.time.advance(300_000);
    expect(desk).toMatchObject({ asked: 5, renewed: [] });
    expect(desk.problems()).toEqual([]);
  });

  it('has a session begin anew when two answers in a row say that its filters are others', async () => {
    const desk = watching();
    desk.answers.splice(0, 1, [COARSER]);
    await desk.time.advance(60_000);
    expect(desk.renewed).toEqual([]);
    await desk.time.advance(5_000);
    expect(desk.renewed).toEqual([`USD_BTC_PERP: the venue has changed what it takes: ${CHANGE}`]);
    desk.running = [COARSER];
    await desk.time.advance(120_000);
    expect(desk.renewed).toHaveLength(1);
    expect(desk.problems()).toEqual([]);
  });

  it('takes one answer out of an old cache for what it is', async () => {
    const desk = watching();
    desk.answers.splice(0, 1, [COARSER], [BTC], [BTC], [COARSER], [BTC]);
    await desk.time.advance(600_000);
    expect(desk.renewed).toEqual([]);
  });

  it('begins a session anew ever more seldom, after ten minutes first, and tells what it does not follow', async () => {
    const desk = watching();
    desk.answers.splice(0, 1, [COARSER]);
    await desk.time.advance(65_000);
    desk.running = [COARSER];
    desk.answers.splice(0, 1, [BTC]);
    await desk.time.advance(130_000);
    expect(desk.renewed).toHaveLength(1);
    expect(desk.problems()).toEqual([
      'USD_BTC_PERP: the venue has changed what it takes (price step 0.5 → 0.1); a new start goes by that',
    ]);
    await desk.time.advance(600_000);
    expect(desk.renewed).toHaveLength(2);
    await desk.time.advance(900_000);
    expect(desk.renewed).toHaveLength(2);
    await desk.time.advance(300_000);
    expect(desk.renewed).toHaveLength(3);
  });

  it.each([
    'paper',
    'cannot renew',
  ] as const)('tells it where no session can begin anew: %s', async (renews) => {
    const desk = watching(renews);
    desk.answers.splice(0, 1, [COARSER]);
    await desk.time.advance(65_000);
    expect(desk.problems()).toEqual([
      `USD_BTC_PERP: the venue has changed what it takes (${CHANGE}); a new start goes by that`,
    ]);
  });

  it('tells of a pair that takes no orders, and of one that is gone, until that is over', async () => {
    const desk = watching();
    desk.answers.splice(0, 1, [withSpec({ active: false })], [], [BTC]);
    await desk.time.advance(60_000);
    expect(desk.problems()).toEqual(['USD_BTC_PERP: the venue says that it takes no orders there now']);
    await desk.time.advance(60_000);
    expect(desk.problems()).toEqual(['USD_BTC_PERP is not among the markets of the venue any more']);
    await desk.time.advance(60_000);
    expect(desk.problems()).toEqual([]);
  });

  it('looks again where comparing fails, which ends no daemon', async () => {
    const desk = watching();
    desk.running = [undefined as unknown as Market];
    await desk.time.advance(60_000);
    desk.running = [BTC];
    desk.answers.splice(0, 1, [COARSER]);
    await desk.time.advance(65_000);
    expect(desk.renewed).toHaveLength(1);
  });

  it('keeps what it knows while the venue does not answer, and asks no more once it is stopped', async () => {
    const desk = watching('cannot renew');
    desk.answers.splice(0, 1, [COARSER], [COARSER], new Error('away'));
    await desk.time.advance(240_000);
    expect(desk.problems()).toHaveLength(1);
    const { asked } = desk;
    watch?.stop();
    await desk.time.advance(600_000);
    expect(desk.asked).toBe(asked);
  });

  it.each([
    ['renews', 'fills pay these, and the strategy knows them from its next start on'],
    ['paper', 'fills on paper pay these from the next start on'],
  ] as const)('tells once of other fees, for which no session begins anew: %s', async (renews, ends) => {
    const desk = watching(renews);
    desk.answers.splice(0, 1, [DEARER]);
    await desk.time.advance(60_000);
    expect(desk).toMatchObject({ told: [], renewed: [] });
    expect(desk.problems()).toEqual([]);
    await desk.time.advance(5_000);
    const text = `USD_BTC_PERP: the venue has changed its fees (${FEES}); ${ends}`;
    expect(desk).toMatchObject({ told: [text], renewed: [] });
    expect(desk.problems()).toEqual([text]);
    await desk.time.advance(600_000);
    expect(desk).toMatchObject({ asked: 12, told: [text] });
    // What takes up the new ones has nothing to be told of.
    desk.running = [DEARER];
    await desk.time.advance(120_000);
    expect(desk.told).toEqual([text]);
    expect(desk.problems()).toEqual([]);
  });

  it('tells of other terms of positions beside other fees', async () => {
    const desk = watching();
    desk.answers.splice(0, 1, [RARER]);
    await desk.time.advance(65_000);
    const terms =
      'USD_BTC_PERP: the venue has changed its terms of positions (funding every 1h → 8h); ' +
      'the position is held to these, and the ledger knows them from the next start on';
    expect(desk).toMatchObject({ told: [terms], renewed: [] });
    const both = defineMarket({ ...marketSpecOf(RARER), fees: marketSpecOf(DEARER).fees });
    desk.answers.splice(0, 1, [both]);
    await desk.time.advance(65_000);
    expect(desk.told).toEqual([terms, expect.stringContaining('has changed its fees')]);
    expect(desk.problems()).toEqual([desk.told[1], terms]);
  });

  it('tells of fees that are the earlier ones again, and of none out of an old cache', async () => {
    const desk = watching();
    desk.answers.splice(0, 1, [DEARER], [BTC], [DEARER]);
    await desk.time.advance(130_000);
    expect(desk.told).toHaveLength(1);
    desk.answers.splice(0, 1, [BTC]);
    await desk.time.advance(130_000);
    expect(desk.told).toHaveLength(2);
    expect(desk.told[1]).toContain('maker -0.025% → 0.02%, taker 0.09% → 0.06%');
    expect(desk.problems()).toEqual([]);
  });

  it('tells of other fees also where other filters have the session begin anew with them', async () => {
    const desk = watching();
    const both = defineMarket({ ...marketSpecOf(DEARER), price: { ...spec.price, step: '0.5' } });
    desk.answers.splice(0, 1, [both]);
    await desk.time.advance(65_000);
    desk.running = [both];
    await desk.time.advance(120_000);
    expect(desk.renewed).toHaveLength(1);
    expect(desk.told).toHaveLength(1);
    expect(desk.problems()).toEqual([]);
  });
});
