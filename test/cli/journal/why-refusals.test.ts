/** Rules that are really met, written into a real journal as a live session does, and explained from it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openJournalFolder, readableParts } from '../../../src/cli/journal/journal.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { Engine } from '../../../src/engine/engine.js';
import { type Limits, NO_LIMITS } from '../../../src/gate/limits.js';
import type { Approved, Refusal, RefusalRule } from '../../../src/model/command.js';
import type { EngineEvent } from '../../../src/model/event.js';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import { openChronicle } from '../../../src/runner/open-chronicle.js';
import { replayCore } from '../../../src/session/replay.js';
import type { SessionCore } from '../../../src/session/session-core.js';
import { refusalGap, refusalLine, type RefusalRecord } from '../../../src/storage/journal/journal-refusal.js';
import type { StrategyContext } from '../../../src/strategy/context.js';
import { type Answer, defineStrategy } from '../../../src/strategy/definition.js';
import { bindStrategy } from '../../../src/strategy/instance.js';
import { flat, holdPosition, type OrderRequest, quote } from '../../../src/strategy/want.js';
import { catalogueMarket, DEFAULT_PAIR } from '../../../src/venue/catalogue.js';

const MARKET = catalogueMarket(DEFAULT_PAIR);
const START = 1_700_000_000_000;

interface Case {
  readonly rule: RefusalRule;
  /** At each trade. */
  readonly act: (context: StrategyContext) => Answer;
  readonly limits?: Partial<Limits>;
  readonly funds?: number;
  readonly warmUp?: true;
  readonly isInactive?: true;
  readonly events?: (desk: Desk) => void;
  /** Both numbers, and what to do about it. */
  readonly says: readonly (string | RegExp)[];
}

/** A session core, and a venue that does with its orders what a case says. */
class Desk {
  readonly core: SessionCore;
  readonly refusals: Refusal[] = [];
  readonly sent: Approved[] = [];
  #time = START;
  #ids = 0;

  constructor({ act, limits, funds, warmUp, isInactive }: Case) {
    const strategy = bindStrategy(
      defineStrategy({ name: 'case', create: (_, context) => ({ onTrade: () => act(context) }) }),
    );
    const market = isInactive === true ? { ...MARKET, active: false } : MARKET;
    const engine = new Engine({ strategy, market, seed: '1', warmUp: warmUp === true });
    this.core = replayCore(
      { engine, limits: { ...NO_LIMITS, ...limits }, warmUp: warmUp === true, funds },
      { decision: (_, __, refusals) => this.refusals.push(...refusals) },
      { send: (command) => this.sent.push(command) },
    );
  }

  trade(price = 60_000, afterMs = 1_000): void {
    this.#time += afterMs;
    const trade = { id: String(++this.#ids), time: this.#time, price, quantity: 0.01, isBuyerMaker: false };
    this.input({ kind: 'trade', trade, receivedAt: this.#time });
  }

  input(event: EngineEvent): void {
    this.core.input(event);
  }

  get time(): number {
    return this.#time;
  }

  permit(permission: 'reduce-only' | 'cancel-only', state: 'SUSPECT' | 'HALTED', reason: string): void {
    this.input({ kind: 'permit', time: this.#time, permission, state, reason });
  }

  /** What becomes of the newest order. */
  rejected(): void {
    const intentId = this.sent.at(-1)?.intentId ?? 0;
    this.input({
      kind: 'report',
      report: { kind: 'rejected', intentId, reason: 'no', time: this.#time },
    });
  }

  filled(price: number): void {
    const order = this.sent.at(-1);
    if (order?.kind !== 'place') throw new Error('there must be an order to fill');
    const { side, lots } = order.terms;
    const fill = {
      id: `f${++this.#ids}`,
      orderId: `o${order.intentId}`,
      time: this.#time,
      side,
      ticks: (price * 10) as Ticks,
      lots,
      liquidity: 'taker' as const,
      fee: 0n,
    };
    const report = { kind: 'filled', intentId: order.intentId, fill, time: this.#time } as const;
    this.input({ kind: 'report', report });
  }
}

const submit =
  (request: Partial<OrderRequest>) =>
  (context: StrategyContext): void => {
    context.submit({ side: 'buy', quantity: 0.01, price: 59_000, ...request });
  };
const trades = (count: number, price?: number) => (desk: Desk) => {
  for (let i = 0; i < count; i++) desk.trade(price);
};

const CASES: readonly Case[] = [
  { rule: 'tick', act: submit({ price: 59_000.05 }), says: ['0.1', '59000.05', /round the price/] },
  { rule: 'lot', act: submit({ quantity: 0.0105 }), says: ['0.001', '0.0105', /round the quantity/] },
  { rule: 'min-price', act: submit({ price: 0 }), says: ['at least 0.1', 'received 0', /arithmetic/] },
  { rule: 'max-price', act: submit({ price: 10_000_001 }), says: ['10000000', '10000001', /arithmetic/] },
  { rule: 'min-quantity', act: submit({ quantity: 0 }), says: ['at least 0.001', 'received 0', /larger/] },
  { rule: 'max-quantity', act: submit({ quantity: 101 }), says: ['at most 100', 'received 101', /split/] },
  { rule: 'interest', act: submit({ quantity: 60 }), says: ['at most 50', 'received 60', /hold less/] },
  {
    rule: 'not-a-number',
    act: () => quote({ bid: { price: Number.NaN, quantity: 0.01 } }),
    says: ['NaN', 'a finite plain decimal', /check for NaN/],
  },
  {
    rule: 'stop-hit',
    act: () => holdPosition('0.01', { stop: 60_000 }),
    says: ['above the stop of a long position', '60000', /wrong side/],
  },
  {
    rule: 'crossed-quote',
    act: () => quote({ bid: { price: 60_000, quantity: 0.01 }, ask: { price: 59_999.9, quantity: 0.01 } }),
    says: ['59999.9', '60000', /bid below the ask/],
  },
  { rule: 'target-below-lot', act: () => holdPosition('0.0004'), says: ['0.001', '0.0004', /whole lot/] },
  {
    rule: 'warming-up',
    act: submit({}),
    warmUp: true,
    says: ['until the session is live', 'submit()', /warm-up is over/],
  },
  {
    rule: 'flat-want',
    act: (context) => {
      context.submit({ side: 'buy', quantity: 0.01, price: 59_000 });
      return flat();
    },
    says: ['flat()', 'submit()', /want something else/],
  },
  { rule: 'unknown-order', act: (context) => context.cancel(99), says: ['99', /workingOrders/] },
  {
    rule: 'not-synced',
    act: submit({}),
    events(desk) {
      desk.permit('reduce-only', 'SUSPECT', 'order s-1 is in doubt');
      desk.trade();
    },
    says: ['SUSPECT', 'SYNCED', 'order s-1 is in doubt', /attach --plan/],
  },
  {
    rule: 'halted',
    act: submit({}),
    events(desk) {
      desk.permit('cancel-only', 'HALTED', 'cancel: by hand');
      desk.trade();
    },
    says: ['HALTED', 'by hand', /tickwright resume/],
  },
  {
    rule: 'max-position',
    act: submit({ quantity: 0.06 }),
    limits: { maxPosition: 50 as Lots },
    says: ['at most 0.05,', 'received 0.06 ', /limits\.maxPosition/],
  },
  {
    rule: 'max-order-quantity',
    act: submit({ quantity: 0.03 }),
    limits: { maxOrderQuantity: 20 as Lots },
    says: ['at most 0.02,', 'received 0.03 ', /limits\.maxOrderQuantity/],
  },
  {
    rule: 'max-open-orders',
    act: submit({}),
    limits: { maxOpenOrders: 2 },
    events: trades(3),
    says: ['at most 2', 'received 3', /limits\.maxOpenOrders/],
  },
  {
    rule: 'max-order-notional',
    act: submit({ quantity: 0.1 }),
    limits: { maxOrderNotional: 5_000 },
    says: ['5000', '5900', /limits\.maxOrderNotional/],
  },
  {
    rule: 'price-collar',
    act: submit({ price: 50_000 }),
    limits: { priceCollar: 0.02 },
    events: trades(2),
    // 2 % below the last trade at 60 000.
    says: ['at least 58800', 'received 50000', /limits\.priceCollar/],
  },
  {
    rule: 'max-orders-per-minute',
    act: submit({}),
    limits: { maxOrdersPerMinute: 3 },
    events: trades(4),
    says: ['at most 3', 'received 4', /limits\.maxOrdersPerMinute/],
  },
  {
    rule: 'max-orders-per-hour',
    act: submit({}),
    limits: { maxOrdersPerHour: 3 },
    events: trades(4),
    says: ['at most 3', 'received 4', /limits\.maxOrdersPerHour/],
  },
  {
    rule: 'same-side-repeat',
    act: submit({}),
    limits: { minRepeatMs: 5_000 },
    events: trades(2),
    says: ['at least 5000', 'received 1000', /limits\.minRepeat/],
  },
  {
    rule: 'reject-ratio',
    act: submit({}),
    limits: { rejectPause: { rejected: 2, of: 4, forMs: 60_000 } },
    events(desk) {
      for (let i = 0; i < 3; i++) {
        desk.trade();
        desk.rejected();
      }
    },
    says: ['at most 1', 'received 2', /journal tail/],
  },
  {
    rule: 'balance',
    act: submit({ quantity: 1 }),
    funds: 100,
    events: trades(2),
    says: ['100', /deposit/],
  },
  {
    rule: 'max-gross-notional',
    act: submit({ quantity: 0.1 }),
    limits: { maxGrossNotional: 5_000 },
    // The mark is the last trade's 60 000.
    says: ['5000', '6000', /limits\.maxGrossNotional/],
  },
  {
    rule: 'max-leverage',
    act: submit({ quantity: 1 }),
    limits: { maxLeverage: 2 },
    funds: 10_000,
    // 1 BTC at the mark of 60 000, 10 000 in the account.
    says: ['at most 2', 'received 6 ', /limits\.maxLeverage/],
  },
  { rule: 'market-inactive', act: submit({}), isInactive: true, says: ['inactive', /opens the market/] },
  {
    rule: 'max-daily-loss',
    act: submit({ quantity: 1, price: 60_000 }),
    limits: { maxDailyLoss: 1_000 },
    funds: 100_000,
    events(desk) {
      desk.trade();
      desk.filled(60_000);
      // 2 000 below what was paid.
      desk.trade(58_000);
    },
    says: ['1000', '2000', /00:00 UTC/],
  },
];

const machine = thisMachine();
let folder: string;
const found = new Map<RefusalRule, RefusalRecord>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-refusals-'));
  const story = await openChronicle({
    ...machine,
    directory: join(folder, 'journal'),
    session: 'tw-1',
    engine: 'test',
    hashes: {},
  });
  for (const each of CASES) {
    const desk = new Desk(each);
    (each.events ?? trades(1))(desk);
    for (const { pair, rule, asked, bound, reason } of desk.refusals) {
      const record = { pair, rule, asked, bound, reason, intent: undefined, time: desk.time };
      story.chronicle.note({ kind: 'refusal', ...record }, 'lazy');
    }
  }
  await story.close();
  const journal = await openJournalFolder(machine.files, join(folder, 'journal'));
  for await (const { entries } of readableParts(machine.files, journal)) {
    for (const { record } of entries) {
      if (record.kind === 'refusal') found.set(record.rule as RefusalRule, record);
    }
  }
});
afterAll(() => rm(folder, { recursive: true }));

describe('a refusal in a journal', () => {
  it.each(CASES)('of rule $rule says in one line what, both numbers and what to do', ({ rule, says }) => {
    const record = found.get(rule);
    if (record === undefined) throw new Error(`${rule} was not met; met: ${[...found.keys()].join(', ')}`);
    const line = refusalLine(record);
    expect(line).not.toContain('\n');
    expect(line.startsWith(`${DEFAULT_PAIR} ${rule}: `)).toBe(true);
    for (const word of says) {
      if (typeof word === 'string') expect(line).toContain(word);
      else expect(line).toMatch(word);
    }
    expect(refusalGap(record)).toBeUndefined();
  });

  it('of a pause says that a resume ends it, not waiting', () => {
    const desk = new Desk({ rule: 'not-synced', act: submit({}), says: [] });
    desk.permit('reduce-only', 'HALTED', 'pause: lunch');
    desk.trade();
    const [refusal] = desk.refusals;
    if (refusal === undefined) throw new Error('there must be a refusal, received none');
    const { pair, rule, asked, bound, reason } = refusal;
    const line = refusalLine({
      kind: 'refusal',
      pair,
      rule,
      asked,
      bound,
      reason,
      intent: undefined,
      time: desk.time,
    });
    expect(line).toContain(
      'received HALTED (pause: lunch) → find out why it was halted, then tickwright resume',
    );
    expect(line).not.toContain('wait');
  });
});
