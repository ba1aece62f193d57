/** A stop that is its own proof: in the simulated world, against the real venue, with requests that fail. */
import { describe, expect, it, test } from 'vitest';
import { proofText } from '../../src/cli/view/proof-text.js';
import type { HasteOptions } from '../../src/client/haste.js';
import { Chronicle } from '../../src/execution/chronicle.js';
import { tickwright } from '../../src/client/profile.js';
import type { FaultRule, WayFault } from '../../src/model/fault-rule.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { LIQUIDATION } from '../../src/model/halt-level.js';
import { defineMarket } from '../../src/model/market.js';
import type { OrderTerms } from '../../src/model/order.js';
import { SILENT } from '../../src/ports/log.js';
import type { VenueWorld } from '../../src/simulation/world/venue-world.js';
import { STOP_HASTE, verifiedStop, type VerifiedStopOptions } from '../../src/runner/stop/verified-stop.js';
import type { PairProof } from '../../src/runner/stop/stop-proof.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { botThatDies, opened } from './dead-bot.js';
import { startLive } from './live-desk.js';
import { MemoryJournal } from '../support/restart-desk.js';
import {
  ANNA,
  BERT,
  BID,
  BTC,
  BTC_SPEC,
  clientOf,
  MARKET_BUY,
  START_TICKS,
  world,
} from '../simulation/world/desk.js';

const FAULTS_FROM_MS = 60_000;
const leaving = (orders: readonly OrderTerms[], echo: 'oco' | undefined = 'oco') => ({
  orders,
  echo,
  diesAt: FAULTS_FROM_MS - 1_000,
});

function failing(probability: number, effect: WayFault, name: string): FaultRule {
  return {
    name,
    place: {},
    when: { probability, window: { fromMs: FAULTS_FROM_MS, untilMs: Number.POSITIVE_INFINITY } },
    effect,
  };
}

async function stopped(
  at: VenueWorld,
  journal: MemoryJournal | undefined,
  options: Partial<VerifiedStopOptions> = {},
  /** Of the client that the stop has. */
  besides: (api: VerifiedStopOptions['api']) => Partial<VerifiedStopOptions['api']> = () => ({}),
  more: { readonly haste: HasteOptions | undefined } = { haste: STOP_HASTE },
): Promise<PairProof & { readonly tookMs: number }> {
  await at.scheduler.runUntil(FAULTS_FROM_MS);
  const life = at.boot({ name: options.session ?? 'stop', disk: at.disk('stop') });
  let proof: (PairProof & { readonly tookMs: number }) | undefined;
  const failure: unknown[] = [];
  const { deadlineMs = 120_000 } = options;
  const haste = more.haste && { ...more.haste, until: life.clock.monotonic() + deadlineMs };
  const api = clientOf(at, life, ANNA, { haste });
  life.timers.soon(() => {
    const startedAt = life.clock.monotonic();
    verifiedStop({
      api: { ...api, ...besides(api) },
      profile: tickwright,
      market: BTC,
      chronicle:
        journal === undefined
          ? new Chronicle(opened(new MemoryJournal()))
          : new Chronicle(opened(journal), journal.books()),
      clock: life.clock,
      timers: life.timers,
      log: SILENT,
      session: 'stop',
      level: 'flat',
      latches: true,
      all: false,
      slice: undefined,
      deadlineMs,
      by: 'a test',
      reason: 'to see',
      ...options,
    }).then(
      (done) => (proof = { ...done, tookMs: life.clock.monotonic() - startedAt }),
      (error: unknown) => failure.push(error),
    );
  });
  await at.scheduler.runUntilDone(() => proof !== undefined || failure.length > 0, 10 * 60_000);
  if (proof === undefined) throw new Error('the stop does not end', { cause: failure[0] });
  return proof;
}

function heldAt(at: VenueWorld): { readonly lots: number; readonly active: number } {
  at.venueNow();
  const account = at.account(ANNA.name);
  return {
    lots: at.core.position(account, BTC.pair).lots,
    active: account.holdings.get(BTC.pair)?.workingCount ?? 0,
  };
}

const ASK: OrderTerms = { ...BID, side: 'sell', ticks: 640_000 as Ticks };
const ORDERS = [BID, ASK, { ...BID, ticks: 580_000 as Ticks }, { ...MARKET_BUY, lots: 50 as Lots }];

describe('a verified stop', () => {
  it('cancels every own order, closes the position in slices, and says what it saw', async () => {
    const at = world();
    const journal = await botThatDies(at, leaving(ORDERS));
    expect(heldAt(at)).toEqual({ lots: 50, active: 3 });
    const proof = await stopped(at, journal, { slice: 20 as Lots });
    expect(proof).toMatchObject({
      pair: BTC.pair,
      proven: true,
      unproven: [],
      emptyScans: 2,
      position: { before: '0.05', after: '0' },
    });
    expect(proof).not.toHaveProperty('booked');
    expect(proof).not.toHaveProperty('liquidated');
    expect(proof.canceled).toHaveLength(3);
    expect(proof.closes.map(({ side, quantity, outcome }) => `${side} ${quantity} ${outcome}`)).toEqual([
      'sell 0.02 filled',
      'sell 0.02 filled',
      'sell 0.01 filled',
    ]);
    expect(heldAt(at)).toEqual({ lots: 0, active: 0 });
  });

  describe('of a bot whose stop waits at the venue', () => {
    const STOP: OrderTerms = {
      ...MARKET_BUY,
      side: 'sell',
      lots: 50 as Lots,
      timeInForce: 'IOC',
      reduceOnly: true,
      trigger: { ticks: 500_000 as Ticks, event: 'last' },
    };
    const HELD = [{ ...MARKET_BUY, lots: 50 as Lots }, STOP];
    const waitingAt = (at: VenueWorld) => at.core.triggers(at.account(ANNA.name)).map(({ id }) => id);
    const textOf = (pair: PairProof) =>
      proofText(
        {
          schemaVersion: 1,
          level: 'cancel',
          by: 'operator',
          reason: 'stop',
          startedAt: 0,
          endedAt: 0,
          proven: pair.proven,
          pairs: [pair],
        },
        undefined,
      );

    it('cancels it by its id, proves that it is gone, and says that the position is bare', async () => {
      const at = world();
      const journal = await botThatDies(at, leaving(HELD));
      const [id] = waitingAt(at);
      const proof = await stopped(at, journal, { level: 'cancel' });
      expect(proof).toMatchObject({ proven: true, canceled: [id], bare: { position: '0.05', stops: [id] } });
      expect([waitingAt(at), heldAt(at).lots]).toEqual([[], 50]);
      expect(textOf(proof)).toContain(
        `the position 0.05 is left WITHOUT ITS STOP, which was canceled (${id})`,
      );
    });

    it('says so as well where the session itself has canceled it just before', async () => {
      const at = world();
      const journal = await botThatDies(at, leaving(HELD));
      const [id = ''] = waitingAt(at);
      await stopped(at, journal, { level: 'cancel' });
      const proof = await stopped(at, journal, {
        level: 'cancel',
        canceledBefore: [id],
        session: 'again',
      });
      expect(proof).toMatchObject({ canceled: [], bare: { stops: [id] } });
    });

    it('cancels it also when nobody knows yet that it arrived', async () => {
      const at = world();
      const journal = await botThatDies(at, { ...leaving(HELD), pauseMs: 20_000, diesAt: 25_040 });
      expect(journal.records.filter(({ kind }) => kind === 'out')).toHaveLength(1);
      await at.scheduler.runUntil(FAULTS_FROM_MS);
      expect(waitingAt(at)).toHaveLength(1);
      const proof = await stopped(at, journal, { level: 'cancel' });
      expect(proof).toMatchObject({ proven: true, bare: { position: '0.05' } });
      expect(waitingAt(at)).toEqual([]);
    });

    it('is not proven while the list of triggers cannot be read', async () => {
      const at = world();
      const journal = await botThatDies(at, leaving(HELD));
      const proof = await stopped(at, journal, { level: 'cancel', deadlineMs: 10_000 }, (api) => ({
        orders: (state, query) =>
          state === 'triggers' ? Promise.reject(new Error('no list')) : api.orders(state, query),
        cancelMany: () => Promise.resolve({ kind: 'answered', orders: [] }),
      }));
      expect(proof.proven).toBe(false);
    });

    it('closes the position, and says nothing of a bare one', async () => {
      const at = world();
      const journal = await botThatDies(at, leaving(HELD));
      const proof = await stopped(at, journal);
      expect(proof.proven).toBe(true);
      expect(proof).not.toHaveProperty('bare');
      expect([waitingAt(at), heldAt(at).lots]).toEqual([[], 0]);
    });

    it('leaves those of others alone, whatever is to be canceled', async () => {
      const at = world();
      const journal = await botThatDies(at, leaving(HELD));
      const { trigger, ...terms } = STOP;
      const others = at.core.place(
        at.account(ANNA.name),
        { pair: BTC.pair, terms, options: { trigger } },
        at.venueNow(),
      );
      if (others.kind !== 'accepted') throw new Error(others.reason);
      const { id } = others.order;
      const proof = await stopped(at, journal, { level: 'cancel', all: true });
      expect(proof).toMatchObject({ proven: true, foreign: [id] });
      expect(waitingAt(at)).toEqual([id]);
    });
  });

  describe('of a bot whose position the venue has ended', () => {
    const wordsOf = (pair: PairProof) =>
      proofText(
        {
          schemaVersion: 1,
          level: 'flat',
          by: 'operator',
          reason: 'stop',
          startedAt: 0,
          endedAt: 0,
          proven: true,
          pairs: [pair],
        },
        undefined,
      );
    const ended = async () => {
      const at = world({ accounts: [{ ...ANNA, deposits: { USD: '400' } }, BERT] });
      const journal = await botThatDies(at, leaving([{ ...MARKET_BUY, lots: 50 as Lots }]));
      at.core.setMark(BTC.pair, 500_000 as Ticks, at.venueNow());
      return { at, journal };
    };

    it('says that the journal has it still', async () => {
      const { at, journal } = await ended();
      const proof = await stopped(at, journal);
      const position = { before: '0', after: '0' };
      expect(proof).toMatchObject({ proven: true, position, closes: [], booked: '0.05' });
      expect(wordsOf(proof)).toContain('  its journal says 0.05: the venue (a liquidation) or');
    });

    it('says what did, once that is booked', async () => {
      const { at, journal } = await ended();
      const reason = 'the venue liquidated or deleveraged: fill 2';
      journal.append({ kind: 'halt', level: 'pause', reason, by: LIQUIDATION, wall: 0 }, 'durable');
      const proof = await stopped(at, journal);
      expect(proof).toMatchObject({ proven: true, liquidated: reason });
      expect(wordsOf(proof)).toContain(`  ${reason}; it stays halted until tickwright resume`);
    });
  });

  it('looks at nothing any more when a bug ends it', async () => {
    const at = world();
    const journal = await botThatDies(at, leaving(ORDERS));
    let asked = 0;
    const counted = <T>(value: T): T =>
      typeof value === 'function'
        ? (((...args: unknown[]) => {
            asked++;
            return (value as (...given: unknown[]) => unknown)(...args);
          }) as T)
        : value;
    const market = {
      ...BTC,
      filters: {
        ...BTC.filters,
        get quantity(): never {
          throw new Error('a bug');
        },
      },
    };
    const stop = stopped(at, journal, { market }, (api) =>
      Object.fromEntries(Object.entries(api).map(([name, value]) => [name, counted(value)])),
    );
    await expect(stop).rejects.toMatchObject({ cause: { message: 'a bug' } });
    const before = asked;
    expect(before).toBeGreaterThan(0);
    await at.scheduler.runUntil(at.scheduler.now + 600_000);
    expect(asked).toBe(before);
  });

  it('closes in slices of whole lots, whatever the largest order may be', async () => {
    const coarse = defineMarket({ ...BTC_SPEC, quantity: { min: '0.005', max: '100', step: '0.005' } });
    const at = world({ markets: [{ market: coarse, startTicks: START_TICKS }] });
    const journal = await botThatDies(at, leaving([{ ...MARKET_BUY, lots: 50 as Lots }]));
    const proof = await stopped(at, journal, { market: coarse, slice: 17 as Lots });
    expect(proof.unproven).toEqual([]);
    expect(proof.closes.map(({ quantity }) => quantity)).toEqual(['0.015', '0.015', '0.015', '0.005']);
    expect(heldAt(at).lots).toBe(0);
  });

  it('where its closing orders are canceled unfilled, sends ever fewer, says why, and counts none of them as canceled', async () => {
    const at = world();
    const journal = await botThatDies(at, leaving(ORDERS));
    let first: ReturnType<VerifiedStopOptions['api']['position']> | undefined;
    // What it shows is closed by the first order: there is nothing to reduce for the next ones.
    const stale = ({ position }: VerifiedStopOptions['api']) => ({
      position: (pair: string) => (first ??= position(pair)),
    });
    const proof = await stopped(at, journal, { deadlineMs: 20_000 }, stale);
    expect(heldAt(at)).toEqual({ lots: 0, active: 0 });
    expect(proof.unproven).toContain(
      'that the position is flat: 0.05 BTC are held; canceled unfilled: nothing to reduce',
    );
    const outcomes = proof.closes.map(({ outcome }) => outcome);
    expect(new Set(outcomes.slice(1))).toEqual(new Set(['canceled unfilled: nothing to reduce']));
    expect(outcomes[0]).toBe('filled');
    expect(outcomes.length).toBeLessThan(15);
    expect(proof.canceled).toHaveLength(3);
  });

  it('keeps the position where only orders are to go', async () => {
    const at = world();
    const journal = await botThatDies(at, leaving(ORDERS));
    const proof = await stopped(at, journal, { level: 'cancel' });
    expect(proof.proven).toBe(true);
    expect(proof.closes).toEqual([]);
    expect(heldAt(at)).toEqual({ lots: 50, active: 0 });
  });

  it('says of no order that it was canceled whose cancellation the venue refuses', async () => {
    const at = world();
    const journal = await botThatDies(at, leaving([BID]));
    const options = { level: 'cancel', deadlineMs: 5_000 } as const;
    const proof = await stopped(at, journal, options, () => ({
      cancel: () => Promise.resolve({ kind: 'refused', reason: 'not today' }),
      cancelMany: () => Promise.resolve({ kind: 'refused', reason: 'not today' }),
    }));
    expect(proof.proven).toBe(false);
    expect(proof.unproven.join()).toMatch(/that order \S+ \(bot-1\) is gone/);
    expect(proof.canceled).toEqual([]);
  });

  it('says of no order that it was canceled that filled before its cancellation came', async () => {
    const at = world({ accounts: [ANNA, { ...BERT, deposits: { USD: '10000000' } }] });
    const journal = await botThatDies(at, leaving([{ ...BID, ticks: 599_000 as Ticks }, ASK]));
    const sweep = () => {
      const terms = { ...MARKET_BUY, side: 'sell', lots: 5_000 as Lots } as const;
      at.core.place(at.account(BERT.name), { pair: BTC.pair, terms }, at.venueNow());
    };
    const options = { level: 'cancel' } as const;
    const proof = await stopped(at, journal, options, (api) => ({
      cancelMany: (ids) => {
        sweep();
        return api.cancelMany(ids);
      },
      cancel: () => Promise.resolve({ kind: 'unanswered', reason: 'too slow' }),
    }));
    expect(proof.unproven).toEqual([]);
    expect(heldAt(at)).toEqual({ lots: BID.lots, active: 0 });
    expect(proof.canceled).toHaveLength(1);
  });

  it('leaves orders of others alone, names them, and cancels them when asked to', async () => {
    const at = world();
    const journal = await botThatDies(at, leaving([BID]));
    at.core.place(
      at.account(ANNA.name),
      { pair: BTC.pair, terms: { ...BID, ticks: 570_000 as Ticks } },
      at.venueNow(),
    );
    const proof = await stopped(at, journal, { level: 'cancel' });
    expect(proof.proven).toBe(true);
    expect(proof.foreign).toHaveLength(1);
    expect(heldAt(at).active).toBe(1);
  });

  it('is proven beside more orders of others than one answer of the venue holds', async () => {
    const at = world();
    const journal = await botThatDies(at, leaving([BID]));
    for (let index = 0; index < 9; index++) {
      const terms = { ...BID, ticks: (570_000 + 10 * index) as Ticks };
      at.core.place(at.account(ANNA.name), { pair: BTC.pair, terms }, at.venueNow());
      await at.scheduler.runUntil(at.scheduler.now + 5);
    }
    const profile = { ...tickwright, maxLimit: 4 };
    const proof = await stopped(at, journal, { profile, level: 'cancel' });
    expect(proof.unproven).toEqual([]);
    expect(proof.foreign).toHaveLength(9);
    expect(heldAt(at).active).toBe(9);
  });

  it.each([
    ['cancel', 53],
    ['flat', 0],
  ] as const)('explains nothing away: a fill of nobody we know is there for the next start (%s)', async (level, left) => {
    const at = world();
    const journal = await botThatDies(at, leaving(ORDERS));
    const foreign = { pair: BTC.pair, terms: { ...MARKET_BUY, lots: 3 as Lots } };
    at.core.place(at.account(ANNA.name), foreign, at.venueNow());
    const proof = await stopped(at, journal, { level, latches: false });
    expect(proof.proven).toBe(true);
    expect(heldAt(at)).toEqual({ lots: left, active: 0 });
    const strategy = defineStrategy({ name: 'idle', create: () => ({}) });
    const resumed = { kind: 'resume', by: 'a test', reason: 'to see', wall: 1 } as const;
    journal.append(resumed, 'durable');
    const next = startLive(at, journal, { name: 'next', strategy, limits: {} });
    await expect(next).rejects.toThrow(/needs an operator: fill .* is of no order of ours/);
  });

  it('without a journal closes what is held, and cancels all when asked to', async () => {
    const at = world();
    await botThatDies(at, leaving(ORDERS));
    const proof = await stopped(at, undefined, { all: true });
    expect(proof.proven).toBe(true);
    expect(proof.canceled).toHaveLength(3);
    expect(heldAt(at)).toEqual({ lots: 0, active: 0 });
  });

  it('is not proven while one of ours is in doubt and an order rests that may be it, where no tag tells', async () => {
    const lost = (name: string, path: string, effect: WayFault): FaultRule => ({
      name,
      place: { paths: [path] },
      when: { window: { fromMs: 5_000, untilMs: Number.POSITIVE_INFINITY } },
      effect,
    });
    const rules = [
      lost('the order', '/auth/order', { kind: 'lost-request' }),
      // Without them its absence is never proven.
      lost('all fills', '/fills', { kind: 'lost-response' }),
    ];
    const at = world({ faults: { seed: 1, rules } });
    const journal = await botThatDies(at, leaving([BID], undefined));
    const other = { ...BID, ticks: 570_000 as Ticks };
    at.core.place(at.account(ANNA.name), { pair: BTC.pair, terms: other }, at.venueNow());
    const profile = { ...tickwright, echo: undefined };
    const proof = await stopped(at, journal, { profile, level: 'cancel' });
    expect(proof.foreign).toHaveLength(1);
    expect(proof.unproven.join()).toMatch(/what became of bot-1/);
    expect(proof.proven).toBe(false);
  });

  it('is not proven by what was seen before an order in doubt could not come any more', async () => {
    const late: WayFault = { kind: 'late-execution', delayMs: [9_000, 9_000], answer: 'none', msg: '' };
    const at = world({
      faults: { seed: 1, rules: [{ ...failing(1, late, 'late'), place: { paths: ['/auth/order'] } }] },
    });
    const journal = await botThatDies(at, leaving(ORDERS));
    // On a venue that promises nothing an order may come for a minute: the time of the stop is over first.
    const profile = { ...tickwright, fencesLate: false };
    const proof = await stopped(at, journal, { profile, deadlineMs: 20_000 });
    expect(proof.proven).toBe(false);
    expect(proof.unproven.join()).toMatch(/what became of stop-1/);
  });

  it('is not proven while the clock by which the venue would refuse an order in doubt stands still', async () => {
    const late: WayFault = { kind: 'late-execution', delayMs: [40_000, 40_000], answer: 'none', msg: '' };
    const at = world({
      faults: { seed: 1, rules: [{ ...failing(1, late, 'late'), place: { paths: ['/auth/order'] } }] },
    });
    const journal = await botThatDies(at, leaving(ORDERS));
    const still = (api: VerifiedStopOptions['api']) => {
      const at = Math.floor(api.clock.now());
      const clock = {
        now: () => at,
        reached: () => at,
        earliest: () => at,
        glance: () => ({ now: at, reached: at }),
        answered: () => at,
        steadyRate: () => 1,
      };
      return { clock: { ...clock, sync: () => api.clock.sync() } };
    };
    const proof = await stopped(at, journal, { deadlineMs: 60_000 }, still);
    expect(proof.proven).toBe(false);
    expect(proof.unproven.join()).toMatch(/what became of stop-1/);
  });

  it('closes anew what the venue would refuse by now, whatever keeps the end of that order from being read', async () => {
    const rule = failing(1, { kind: 'lost-request' }, 'lost');
    const window = { fromMs: FAULTS_FROM_MS, untilMs: FAULTS_FROM_MS + 3_000 };
    const at = world({
      faults: {
        seed: 1,
        rules: [
          { ...rule, place: { paths: ['/auth/order'] }, when: { probability: 1, window } },
          // Without them the absence of an order is never proven.
          { ...rule, name: 'no fills', place: { paths: ['/fills'] } },
        ],
      },
    });
    const journal = await botThatDies(at, leaving(ORDERS));
    const proof = await stopped(at, journal);
    expect(proof.unproven).toEqual([]);
    expect(proof.closes[0]?.outcome).toBe('in doubt: not heard of while it could be executed');
    expect(proof.closes).toHaveLength(2);
    expect(heldAt(at)).toEqual({ lots: 0, active: 0 });
  });

  it('is not proven while the venue does not answer, and says what is missing', async () => {
    const at = world({
      faults: { seed: 1, rules: [failing(1, { kind: 'lost-request' }, 'silence')] },
    });
    const journal = await botThatDies(at, leaving(ORDERS));
    const proof = await stopped(at, journal, { deadlineMs: 10_000 });
    expect(proof.tookMs).toBeLessThan(17_000);
    expect(proof.proven).toBe(false);
    expect(proof.unproven.join('\n')).toMatch(/no order of ours is at the venue/);
    expect(proof.unproven.join('\n')).toMatch(/the position is flat: what is held is not known/);
    expect(heldAt(at)).toEqual({ lots: 50, active: 3 });
  });
});

/** Three of ten requests fail. */
const failures = (seed: number) =>
  world({
    seed,
    faults: {
      seed,
      rules: [
        failing(0.1, { kind: 'unavailable', executed: true, msg: 'backend timeout' }, 'executed and refused'),
        failing(0.1, { kind: 'lost-response' }, 'lost answers'),
        failing(0.1, { kind: 'reset', executed: false }, 'resets'),
      ],
    },
  });
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

test.each(SEEDS)('with three of ten requests failing a stop is flat and proven (seed %i)', async (seed) => {
  const at = failures(seed);
  const journal = await botThatDies(at, leaving(ORDERS));
  const proof = await stopped(at, journal, { slice: 20 as Lots, deadlineMs: 240_000 });
  expect(proof.unproven).toEqual([]);
  expect(proof.proven).toBe(true);
  expect(heldAt(at)).toEqual({ lots: 0, active: 0 });
});

it('a stop takes about as long in haste where one thing is slow, and all else is not', async () => {
  const timeMs = async (haste: HasteOptions | undefined) => {
    const slow = { ...failing(1, { kind: 'lost-request' }, 'slow'), place: { paths: ['/active_orders'] } };
    const rules = [{ ...slow, effect: { kind: 'delay', delayMs: [3_100, 3_100] } as const }];
    const at = world({ faults: { seed: 1, rules } });
    const journal = await botThatDies(at, leaving(ORDERS));
    const { proven, tookMs } = await stopped(at, journal, {}, () => ({}), { haste });
    expect(proven).toBe(true);
    return tookMs;
  };
  expect(await timeMs(STOP_HASTE)).toBeLessThan(1.2 * (await timeMs(undefined)));
});

it('a stop is proven in less than half of the time by a client in haste', async () => {
  const medianMs = async (haste: HasteOptions | undefined) => {
    const times: number[] = [];
    for (const seed of SEEDS) {
      const at = failures(seed);
      const journal = await botThatDies(at, leaving(ORDERS));
      const { tookMs } = await stopped(at, journal, {}, () => ({}), { haste });
      times.push(tookMs);
    }
    return times.sort((a, b) => a - b)[SEEDS.length / 2] ?? Number.NaN;
  };
  const inHaste = await medianMs(STOP_HASTE);
  const patient = await medianMs(undefined);
  expect(inHaste).toBeGreaterThan(0);
  expect(inHaste).toBeLessThan(patient / 2);
});
