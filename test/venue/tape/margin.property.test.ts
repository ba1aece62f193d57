import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineMarket } from '../../../src/model/market.js';
import { rateOf } from '../../../src/model/money.js';
import type { ExecutionReport } from '../../../src/model/report.js';
import { MARK_FRESH_MS } from '../../../src/model/ticker.js';
import type { Trade } from '../../../src/model/trade.js';
import type { WorldFact } from '../../../src/model/world-fact.js';
import { TradeColumns } from '../../../src/storage/rows/trade-columns.js';
import { Client } from './client.js';
import { NO_PRICES } from '../../support/no-prices.js';

const MARKET = defineMarket({
  pair: 'USD_X',
  base: 'X',
  quote: 'USD',
  price: { min: 1, max: 1_000_000, step: 1 },
  quantity: { min: 1, max: 1_000_000, step: 1 },
  fees: { maker: '0.001', taker: '0.002', liquidation: '0.003' },
  margin: { initial: '0.1', maintenance: '0.05', initialRiskLimit: 0, maintenanceRiskLimit: 0 },
});

interface Scene {
  readonly tape: readonly Trade[];
  readonly facts: readonly WorldFact[];
  /** Signed lots of market orders, by the row after which they are sent. */
  readonly orders: ReadonlyMap<number, number>;
  readonly deposit: number;
  readonly latency: number;
}

const scenes: fc.Arbitrary<Scene> = fc
  .record({
    moves: fc.array(
      fc.record({
        pause: fc.constantFrom(0, 0, 1, 3, 200, 1_100, 5_000, 61_000),
        by: fc.constantFrom(0, 0, 1, -1, 4, -4, 9, -9, 14, -14),
        quantity: fc.constantFrom(1, 3, 20, 99),
        isBuyerMaker: fc.boolean(),
      }),
      { minLength: 30, maxLength: 80 },
    ),
    marks: fc.array(fc.record({ row: fc.nat(79), late: fc.nat(4), by: fc.integer({ min: -8, max: 8 }) }), {
      maxLength: 6,
    }),
    fundings: fc.array(
      fc.record({ row: fc.nat(79), rate: fc.constantFrom('0.05', '-0.05', '0.15', '-0.15') }),
      { maxLength: 3 },
    ),
    orders: fc.array(fc.tuple(fc.nat(20), fc.constantFrom(30, 40, 50, -30, -40, -50)), {
      minLength: 1,
      maxLength: 4,
    }),
    deposit: fc.integer({ min: 700, max: 1_300 }),
    latency: fc.constantFrom(0, 5),
  })
  .map(({ moves, marks, fundings, orders, deposit, latency }) => {
    let time = 1_000;
    let price = 100;
    const tape = moves.map(({ pause, by, quantity, isBuyerMaker }, at): Trade => {
      time += pause;
      price = Math.max(20, Math.min(400, price + by));
      return { id: String(at + 1), time, price, quantity, isBuyerMaker };
    });
    const last = (tape.at(-1) as Trade).time;
    const near = (row: number) => tape[Math.min(row, tape.length - 1)] as Trade;
    const tickers = marks.map(({ row, late, by }): WorldFact => {
      const trade = near(row);
      return ticker(trade.time + late, Math.max(20, trade.price + by));
    });
    const funded = fundings.map(({ row, rate }): WorldFact => {
      return { kind: 'funding', time: near(row).time + 1, rate: rateOf(rate) };
    });
    // Of one time those of the same kind only: which comes first is the recording's to say.
    const times = new Set<number>();
    const facts = [...funded, ...tickers]
      .filter((fact) => fact.time <= last && !times.has(fact.time) && times.add(fact.time))
      .sort((a, b) => a.time - b.time);
    return { tape, facts, orders: new Map(orders), deposit, latency };
  });

function ticker(time: number, markPrice: number): WorldFact {
  return { kind: 'ticker', time, ticker: { ...NO_PRICES, time, markPrice } };
}

function clientOf({ deposit, latency }: Scene): Client {
  return new Client({
    market: MARKET,
    deposit: String(deposit),
    latency: { placeMs: latency, cancelMs: latency },
  });
}

function send(client: Client, { orders }: Scene, row: number, time: number): void {
  const signed = orders.get(row);
  if (signed === undefined) return;
  client.place(row + 1, signed > 0 ? 'buy' : 'sell', Math.abs(signed), undefined, time);
}

/** Funding comes before the prints of its time, and all else that is known after them. */
const dueOf = ({ kind, time }: WorldFact) => (kind === 'funding' ? time - 0.5 : time);

function words(reports: readonly ExecutionReport[]): string[] {
  return reports.map((report) => {
    if (report.kind !== 'filled' && report.kind !== 'late-fill')
      return `${report.kind} ${report.time} ${report.intentId}`;
    const { time, side, lots, ticks, fee } = report.fill;
    return `${report.kind} ${time} ${side} ${lots}@${ticks} ${fee}`;
  });
}

/** What is liquidated waits for a second, so that after this nothing follows by itself. */
const BUSY_MS = 1_100;

/** The first millisecond from `time` on in which something is learned, or a recorded mark has grown too old. */
function nextFrom(facts: readonly WorldFact[], time: number): number {
  const times = facts.flatMap((fact) => [Math.floor(dueOf(fact)), fact.time + MARK_FRESH_MS + 1]);
  return Math.min(...times.filter((each) => each >= time), Number.POSITIVE_INFINITY);
}

/** As a session does it: rows at which nothing can happen are not given. */
function fast(scene: Scene): string[] {
  const client = clientOf(scene);
  const { venue } = client;
  const log: string[] = [];
  const take = () => log.push(...words(venue.reports.splice(0)));
  const rows = TradeColumns.of(scene.tape);
  venue.openRows(rows);
  let next = 0;
  for (let row = 0; row < rows.count; row++) {
    const [time, price] = [rows.time[row] as number, rows.price[row] as number];
    for (let fact = scene.facts[next]; fact !== undefined && dueOf(fact) < time; fact = scene.facts[++next]) {
      if (venue.learn(fact, row)) take();
    }
    const isQuiet =
      time < venue.quietUntil &&
      ((price > venue.quietAbove && price < venue.quietBelow) || venue.isPassing(row));
    if (!isQuiet && venue.printRow(row)) take();
    send(client, scene, row, time);
  }
  venue.closeRows(rows.count);
  log.push(`cash ${venue.account.balances.get('USD')?.cash}`);
  return log;
}

/** One row at a time, and the margin looked at after each of them, and in each millisecond between two. */
function naive(scene: Scene): string[] {
  const client = clientOf(scene);
  const { venue } = client;
  const log: string[] = [];
  const look = (time: number) => {
    venue.core.checkMargin(venue.account, MARKET.pair, time);
    venue.squareReports();
    log.push(...words(venue.reports.splice(0)));
  };
  let next = 0;
  let now = (scene.tape[0] as Trade).time - 1;
  for (const [at, trade] of scene.tape.entries()) {
    const { time } = trade;
    let busyUntil = now + BUSY_MS;
    venue.openRows(TradeColumns.of([trade]));
    for (;;) {
      const fact = scene.facts[next];
      // What is known at a time comes before the commands of it.
      if (fact !== undefined && dueOf(fact) <= now + 1 && dueOf(fact) < time) {
        venue.learn(fact, 0);
        look(fact.time);
        next++;
      } else if (now + 1 < time) {
        const isBusy = now < busyUntil;
        now = isBusy ? now + 1 : Math.min(time - 1, nextFrom(scene.facts, now + 1));
        if (!isBusy) busyUntil = now + BUSY_MS;
        venue.advanceRows(0, now);
        look(now);
      } else break;
    }
    venue.printRow(0);
    venue.closeRows(1);
    look(time);
    now = time;
    send(client, scene, at, time);
  }
  log.push(`cash ${venue.account.balances.get('USD')?.cash}`);
  return log;
}

describe('margin', () => {
  it('is what it would be if it were looked at after every print and in every millisecond', () => {
    let liquidations = 0;
    fc.assert(
      fc.property(scenes, (scene) => {
        const log = fast(scene);
        expect(log).toEqual(naive(scene));
        if (log.some((line) => line.startsWith('late-fill'))) liquidations++;
      }),
      { numRuns: 100 },
    );
    // Some twenty, by chance; without any of them this would show nothing.
    expect(liquidations).toBeGreaterThan(3);
  });
});
