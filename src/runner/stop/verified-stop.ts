import type { VenueClient } from '../../client/client.js';
import type { HasteOptions } from '../../client/haste.js';
import type { VenueProfile } from '../../client/profile.js';
import type { Chronicle } from '../../execution/chronicle.js';
import { Execution } from '../../execution/execution.js';
import { type Lots, textOf } from '../../model/grid.js';
import { haltReasonOf, isStronger, LIQUIDATION } from '../../model/halt-level.js';
import type { HaltLevel } from '../../model/journal-record.js';
import type { Market } from '../../model/market.js';
import { type Clock, sleep, type Timers } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { fenceOf, type LiveGatewayOptions, lateBound } from '../live-gateway.js';
import { type Closing, closePosition } from './close-position.js';
import { LateHorizon } from './late-horizon.js';
import { type ScanResult, scanUntilEmpty } from './scan.js';
import type { PairProof, StopProof } from './stop-proof.js';

export interface VerifiedStopOptions {
  readonly api: LiveGatewayOptions['api'] & Pick<VenueClient, 'position'>;
  readonly profile: VenueProfile;
  readonly markets: readonly Market[];
  /** The bot's journal, in which this stop writes, too. Without a journal a chronicle that keeps nothing. */
  readonly chronicle: Chronicle;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Unique among the sessions of the account. */
  readonly session: string;
  readonly level: 'cancel' | 'flat';
  /** The halt stays latched: the next start adds no risk until somebody resumes. */
  readonly latches: boolean;
  /** Orders of others on these pairs are canceled too. */
  readonly all: boolean;
  /** Largest quantity of one closing order, lots; `undefined`: what the pair's filter allows. */
  readonly slice: (market: Market) => Lots | undefined;
  readonly deadlineMs: number;
  readonly by: string;
  readonly reason: string;
}

/**
 * For the client of a stop: a person waits for it, and its requests may be repeated. Where three of ten requests fail, a
 * stop takes a third of the time with it.
 */
export const STOP_HASTE: HasteOptions = {
  answerMs: 1_500,
  retryShare: 1,
  pauses: { firstMs: 1_000, longestMs: 2_000 },
};

const WATCH_MS = 250;
const STALE_MS = 20_000;
const SETTLE_MS = 1_000;

/**
 * Cancels everything that a bot has at the venue, and proves it (`product.md` C14). Orders of ours are canceled until two
 * lists in a row hold none. With `flat` the position is closed in reduce-only slices until two reads in a row show none.
 * While an order in doubt could still be executed, all of that is repeated afterwards. It needs the keys, and the journal
 * for what only that knows, but no engine.
 */
export async function verifiedStop(options: VerifiedStopOptions): Promise<StopProof> {
  const { api, profile, markets, chronicle, clock, timers, session, level, deadlineMs, by, reason } = options;
  const startedAt = clock.wall();
  const deadline = clock.monotonic() + deadlineMs;
  latch(options);
  const canceled = new Map<string, Set<string>>(markets.map(({ pair }) => [pair, new Set()]));
  const release = chronicle.hear((record) => {
    if (record.kind !== 'end' || record.status !== 'canceled') return;
    const pair = chronicle.books.intent(record.intent)?.pair;
    if (pair !== undefined) canceled.get(pair)?.add(record.orderId);
  });
  const execution = new Execution({
    ...options,
    markets: new Map(markets.map((market) => [market.pair, market])),
    echo: profile.echo,
    visibilityMs: profile.visibilityLagMs,
    listLimit: profile.maxLimit,
    lists: profile.orderLists,
    lateMs: lateBound(profile),
    fenceMs: fenceOf(profile),
    staleMs: STALE_MS,
    watchEveryMs: WATCH_MS,
    firstStart: 'adopt',
    external: 'quarantine',
  });
  api.expectOrders(level === 'flat');
  // Where the receive window bounds late execution, only the venue's own time proves that the window is over.
  if (fenceOf(profile) !== undefined) await known(api.clock);
  let intents = 0;
  const horizon = new LateHorizon(profile, clock, api.clock);
  const closings = new Map<string, Closing>();
  const scans = new Map<string, ScanResult>();
  for (const { pair } of markets) {
    for (const { validUntil } of chronicle.books.intents(pair))
      if (validUntil !== undefined) horizon.sent(validUntil);
  }
  const sent = new Set<string>();
  const forget = chronicle.hear((record) => {
    if (record.kind !== 'prep') return;
    sent.add(record.intent);
    horizon.sent(record.validUntil);
  });
  const isOver = async () => {
    if (horizon.waitsForVenue) await known(api.clock);
    return horizon.isPast;
  };
  const nextIntent = () => ++intents;
  const isDoubtful = () => execution.openOrders().some(({ stage }) => stage !== 'live');
  const pairs = await proofs();
  const proven = pairs.every((pair) => pair.proven);
  return { schemaVersion: 1, level, by, reason, startedAt, endedAt: clock.wall(), proven, pairs };

  async function proofs(): Promise<readonly PairProof[]> {
    try {
      execution.start();
      return await prove();
    } finally {
      // Also after a bug of ours throws: pair watches that go on would keep the process from ending.
      await execution.stop(SETTLE_MS);
      api.expectOrders(false);
      release();
      forget();
    }
  }

  async function prove(): Promise<readonly PairProof[]> {
    /** The newest pass over all pairs began when no request that was sent could be executed any more. */
    let wasPast = false;
    for (;;) {
      wasPast = horizon.isPast;
      const wasClear = !isDoubtful() || wasPast;
      const before = intents;
      await Promise.all(markets.map((market) => pass(market)));
      // An order that this pass sent may be executed after it.
      wasPast &&= intents === before;
      if (wasClear && (intents === before || !isDoubtful())) break;
      if (clock.monotonic() >= deadline) break;
      // Wait until the order in doubt cannot be executed any more; the next pass then sees all that it has done.
      while (isDoubtful() && clock.monotonic() < deadline && !(await isOver())) await sleep(timers, WATCH_MS);
    }
    const rest = await execution.cancelAllOwn(Math.max(0, deadline - clock.monotonic()));
    return markets.map((market): PairProof => {
      const scan = scans.get(market.pair);
      const closing = closings.get(market.pair);
      const own = rest.filter(({ pair }) => pair === market.pair);
      // Where no tag tells whose an order is, an unclaimed resting order may be the one in doubt.
      const mayRest = profile.echo === undefined && (scan?.foreign.length ?? 0) > 0;
      const left = own.filter(({ stage }) => stage === 'live' || !wasPast || mayRest);
      const unproven = missing(market, { scan, closing, left, level });
      // For an order without journal records, such as one of somebody else, the venue's answer to the cancel has to do.
      const unrecorded = (scan?.answered ?? []).filter((id) => chronicle.books.order(id) === undefined);
      const ended = new Set([...(canceled.get(market.pair) ?? []), ...unrecorded]);
      for (const { orderId = '' } of left) ended.delete(orderId);
      const liquidated = haltReasonOf(chronicle.books.halts.filter(({ by }) => by === LIQUIDATION));
      const booked = chronicle.books.position(market.pair);
      const text = (lots: Lots | undefined) =>
        lots === undefined ? undefined : textOf(market.quantityGrid, lots);
      return {
        pair: market.pair,
        proven: unproven.length === 0,
        unproven,
        state: execution.state(market.pair).state,
        canceled: [...ended],
        foreign: scan?.foreign ?? [],
        emptyScans: scan?.emptyScans ?? 0,
        position: { before: text(closing?.before), after: text(closing?.after) },
        closes: closing?.closes ?? [],
        unattributed: own.filter((order) => !left.includes(order)).map(({ intent }) => intent),
        ...(liquidated === undefined ? {} : { liquidated }),
        ...(booked === undefined || closing?.after === undefined || booked === closing.after
          ? {}
          : { booked: textOf(market.quantityGrid, booked) }),
      };
    });
  }

  async function pass(market: Market): Promise<void> {
    const { pair } = market;
    const how = { ...options, market, visibilityMs: profile.visibilityLagMs, deadline };
    const scan = {
      ...how,
      books: chronicle.books,
      echoes: profile.echo !== undefined,
      limit: profile.maxLimit,
    };
    scans.set(pair, joined(scans.get(pair), await scanUntilEmpty(scan)));
    if (level !== 'flat') return;
    const slice = options.slice(market);
    closings.set(
      pair,
      both(
        closings.get(pair),
        await closePosition({
          ...how,
          execution,
          slice,
          nextIntent,
          isOver: async (intent) => sent.has(`${session}-${intent}`) && (await isOver()),
        }),
      ),
    );
    // Orders that were executed while the position was being closed, or a closing order itself, may rest: scan again.
    scans.set(pair, joined(scans.get(pair), await scanUntilEmpty(scan)));
  }
}

/** Asks for the venue's time. A failure is ignored: then the time just proves nothing. */
async function known(clock: Pick<VenueClient['clock'], 'sync'>): Promise<void> {
  await clock.sync().catch(() => undefined);
}

/**
 * Latches the halt of this stop. A stronger halt stays as it is,
 * unless it would keep the closing orders of a `flat` from leaving.
 */
function latch({ chronicle, clock, level, reason, by, latches }: VerifiedStopOptions): void {
  const { halt } = chronicle.books;
  const wanted: HaltLevel = level === 'flat' ? 'flatten' : 'cancel';
  const keepsBack = level === 'flat' && (halt === 'cancel' || halt === 'stop');
  if (keepsBack || (latches && isStronger(wanted, halt))) {
    chronicle.note({ kind: 'halt', level: wanted, reason, by, wall: clock.wall() }, 'durable');
  }
}

function joined(first: ScanResult | undefined, last: ScanResult): ScanResult {
  return { ...last, answered: [...new Set([...(first?.answered ?? []), ...last.answered])] };
}

function both(first: Closing | undefined, last: Closing): Closing {
  return first === undefined
    ? last
    : { ...last, before: first.before, closes: [...first.closes, ...last.closes] };
}

function missing(
  { quantityGrid, base, filters }: Market,
  found: {
    readonly scan: ScanResult | undefined;
    readonly closing: Closing | undefined;
    readonly left: readonly {
      readonly orderId: string | undefined;
      readonly intent: string;
      readonly stage: string;
    }[];
    readonly level: 'cancel' | 'flat';
  },
): readonly string[] {
  const { scan, closing, left, level } = found;
  const words: string[] = [];
  if (scan === undefined || scan.emptyScans < 2) {
    words.push(
      `that no order of ours is at the venue: ${scan?.failure ?? 'there was not time enough for two looks'}`,
    );
  }
  for (const { orderId, intent, stage } of left) {
    words.push(
      orderId === undefined
        ? `what became of ${intent} (${stage})`
        : `that order ${orderId} (${intent}) is gone`,
    );
  }
  if (level === 'flat' && (closing === undefined || closing.flatReads < 2)) {
    const after = closing?.after;
    const size =
      after === undefined ? 'what is held is not known' : `${textOf(quantityGrid, after)} ${base} are held`;
    const small = after !== undefined && after !== 0 && Math.abs(after) < filters.quantity.min;
    words.push(
      `that the position is flat: ${size}${small ? ', less than the smallest order' : ''}${closing?.failure === undefined ? '' : `; ${closing.failure}`}`,
    );
  }
  return words;
}
