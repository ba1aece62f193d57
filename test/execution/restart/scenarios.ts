import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { BotLife, LifeOptions, RestartDesk } from '../../support/restart-desk.js';
import { termsOf } from '../../support/intents.js';
import { cancelOf, placeOf } from '../harness.js';

const PRICE = 600_000 as Ticks;
const LATE_MS = 30_000;

/** Where the first life dies. It has sent one order at most: intent s1-1, order 1000, buy 10 lots. */
export type Crash = (desk: RestartDesk) => Promise<BotLife>;

/** What happens at the venue while nobody is there. */
export type Meanwhile = (desk: RestartDesk) => Promise<void> | void;

export interface Scenario {
  readonly name: string;
  readonly crash: Crash;
  readonly meanwhile: Meanwhile;
  readonly policy: Pick<LifeOptions, 'firstStart' | 'external'>;
}

async function begun(desk: RestartDesk, options: LifeOptions = {}): Promise<BotLife> {
  return desk.start(options);
}

async function placed(desk: RestartDesk, options: LifeOptions = {}): Promise<BotLife> {
  const life = await begun(desk, options);
  life.execution.send(placeOf(1));
  await desk.time.advance(10);
  return life;
}

function dead(desk: RestartDesk, life: BotLife): BotLife {
  life.kill();
  desk.venue.fault = () => undefined;
  desk.venue.latency = () => 0;
  return life;
}

async function doubted(
  desk: RestartDesk,
  fault: 'lost' | 'unanswered' | 'late',
  waitMs: number,
): Promise<BotLife> {
  desk.venue.lateMs = LATE_MS;
  const life = await begun(desk);
  desk.venue.fault = (kind) => (kind === 'place' ? fault : undefined);
  life.execution.send(placeOf(1));
  await desk.time.advance(waitMs);
  return dead(desk, life);
}

export const CRASHES = {
  /** Nothing was ever sent. */
  idle: async (desk) => dead(desk, await begun(desk)),
  /** The record is on the disk, no byte left. */
  prepared: async (desk) => {
    const life = await begun(desk);
    const append = desk.journal.append.bind(desk.journal);
    desk.journal.append = (record, durability) => {
      append(record, durability);
      if (record.kind === 'prep') life.kill();
    };
    life.execution.send(placeOf(1));
    await desk.time.advance(10);
    desk.journal.append = append;
    return dead(desk, life);
  },
  /** The venue has the order, its answer did not arrive. */
  sent: async (desk) => {
    desk.venue.latency = (kind) => (kind === 'place' ? 100 : 0);
    const life = await begun(desk);
    life.execution.send(placeOf(1));
    await desk.time.advance(60);
    return dead(desk, life);
  },
  live: async (desk) => dead(desk, await placed(desk)),
  /** 3 of 10 lots, in the journal. */
  'part-filled': async (desk) => {
    const life = await placed(desk);
    desk.venue.fill('1000', 3, PRICE);
    await desk.time.advance(2_000);
    return dead(desk, life);
  },
  /** 3 of 10 lots, not in the journal. */
  'part-filled-unseen': async (desk) => {
    const life = await placed(desk);
    desk.venue.fill('1000', 3, PRICE);
    return dead(desk, life);
  },
  /** All 10 lots are in the journal, that it is over is not. */
  'filled-without-end': async (desk) => {
    const life = await placed(desk, { onRecord: (record, it) => record.kind === 'end' && it.kill() });
    desk.venue.fill('1000', 10, PRICE);
    await desk.time.advance(5_000);
    return dead(desk, life);
  },
  /** A cancellation was on its way and is lost. */
  canceling: async (desk) => {
    const life = await placed(desk);
    desk.venue.fault = (kind) => (kind === 'cancel' ? 'lost' : undefined);
    life.execution.send(cancelOf(1, '1000'));
    await desk.time.advance(50);
    return dead(desk, life);
  },
  /** A cancellation was executed and nobody heard of it. */
  canceled: async (desk) => {
    const life = await placed(desk);
    desk.venue.latency = (kind) => (kind === 'cancel' ? 100 : 0);
    life.execution.send(cancelOf(1, '1000'));
    await desk.time.advance(60);
    return dead(desk, life);
  },
  /** In doubt; the request was lost. */
  'doubt-lost': (desk) => doubted(desk, 'lost', 10),
  /** In doubt; the venue has the order. */
  'doubt-placed': (desk) => doubted(desk, 'unanswered', 0),
  /** Judged not placed, and it never was. */
  'given-up': (desk) => doubted(desk, 'lost', 20_000),
  /** Judged not placed; it arrives while the bot is down. */
  'given-up-late': async (desk) => {
    const life = await doubted(desk, 'late', 20_000);
    await desk.time.advance(LATE_MS);
    return life;
  },
  /** The way to the venue made two of it, and its answer was lost. */
  twins: async (desk) => {
    desk.venue.latency = (kind) => (kind === 'place' ? 100 : 0);
    const life = await begun(desk);
    desk.venue.fault = (kind) => (kind === 'place' ? 'duplicate' : undefined);
    life.execution.send(placeOf(1));
    await desk.time.advance(60);
    return dead(desk, life);
  },
  /** Its order has ended, all is in the journal. */
  ended: async (desk) => {
    const life = await placed(desk);
    desk.venue.fill('1000', 10, PRICE);
    await desk.time.advance(5_000);
    return dead(desk, life);
  },
  'paused-while-live': async (desk) => {
    const life = await placed(desk);
    life.execution.halt('pause', 'enough', 'anna');
    return dead(desk, life);
  },
  'halted-before-the-cancel': async (desk) => {
    const life = await placed(desk);
    desk.venue.fault = (kind) => (kind === 'cancel' ? 'lost' : undefined);
    life.execution.halt('cancel', 'enough', 'anna');
    await desk.time.advance(10);
    return dead(desk, life);
  },
  quarantined: async (desk) => {
    const life = await begun(desk);
    desk.venue.otherFill('buy', 5, PRICE);
    await desk.time.advance(60_000);
    return dead(desk, life);
  },
  /** There never was a life. */
  'no-journal': async () => ({}) as BotLife,
} satisfies Record<string, Crash>;

export const MEANWHILES = {
  nothing: () => undefined,
  /** 4 lots more of order 1000. */
  'own-fill': (desk) => {
    desk.venue.fill('1000', 4, PRICE);
  },
  /** Order 1000 to its last lot. */
  'own-fill-whole': (desk) => {
    desk.venue.fill('1000', 10, PRICE);
  },
  'canceled-by-hand': (desk) => desk.venue.end('1000', 'canceled by hand'),
  'filled-and-canceled-by-hand': (desk) => {
    desk.venue.fill('1000', 4, PRICE);
    desk.venue.end('1000', 'canceled by hand');
  },
  /** Somebody leaves an order there. */
  'order-by-hand': (desk) => {
    desk.venue.otherOrder(termsOf({ side: 'sell', lots: 7 as Lots, ticks: 700_000 as Ticks }));
  },
  'trade-by-hand': (desk) => {
    desk.venue.otherFill('sell', 5, PRICE);
  },
  'trade-by-hand-and-own-fill': (desk) => {
    desk.venue.fill('1000', 4, PRICE);
    desk.venue.otherFill('sell', 4, PRICE);
  },
  liquidation: (desk) => {
    desk.venue.otherFill('sell', 3, PRICE, true);
  },
  'held-before': (desk) => {
    desk.venue.positionSize = 0.012;
  },
  /** The position is another, and no fill says why. */
  'position-without-fill': (desk) => {
    desk.venue.positionSize = 0.002;
  },
} satisfies Record<string, Meanwhile>;

type Row = readonly [keyof typeof CRASHES, readonly (keyof typeof MEANWHILES)[], Scenario['policy']?];

const TABLE: readonly Row[] = [
  ['idle', ['nothing', 'order-by-hand', 'trade-by-hand', 'liquidation', 'position-without-fill']],
  ['prepared', ['nothing', 'trade-by-hand', 'order-by-hand']],
  ['sent', ['nothing', 'own-fill', 'own-fill-whole', 'canceled-by-hand', 'trade-by-hand-and-own-fill']],
  ['live', ['nothing', 'own-fill', 'own-fill-whole', 'canceled-by-hand', 'order-by-hand', 'trade-by-hand']],
  ['part-filled', ['nothing', 'own-fill', 'own-fill-whole', 'filled-and-canceled-by-hand', 'liquidation']],
  ['part-filled-unseen', ['nothing', 'own-fill', 'trade-by-hand', 'liquidation']],
  ['filled-without-end', ['nothing', 'liquidation']],
  ['canceling', ['nothing', 'own-fill', 'own-fill-whole']],
  ['canceled', ['nothing', 'order-by-hand']],
  ['doubt-lost', ['nothing', 'order-by-hand', 'trade-by-hand']],
  ['doubt-placed', ['nothing', 'own-fill', 'canceled-by-hand', 'liquidation']],
  ['given-up', ['nothing', 'position-without-fill']],
  ['given-up-late', ['nothing', 'own-fill', 'filled-and-canceled-by-hand']],
  ['twins', ['nothing', 'own-fill']],
  ['ended', ['nothing', 'trade-by-hand', 'liquidation']],
  ['paused-while-live', ['nothing', 'own-fill']],
  ['halted-before-the-cancel', ['nothing']],
  ['quarantined', ['nothing']],
  ['no-journal', ['nothing', 'held-before', 'order-by-hand']],
  ['no-journal', ['held-before'], { firstStart: 'flat-only' }],
  ['idle', ['trade-by-hand'], { external: 'adopt' }],
];

export const SCENARIOS: readonly Scenario[] = TABLE.flatMap(([crash, meanwhiles, policy = {}]) =>
  meanwhiles.map((meanwhile) => ({
    name: [crash, meanwhile, ...Object.values<string>(policy)].join('+'),
    crash: CRASHES[crash],
    meanwhile: MEANWHILES[meanwhile],
    policy,
  })),
);
