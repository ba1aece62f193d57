import type { VenueClient } from '../../client/client.js';
import type { HasteOptions } from '../../client/haste.js';
import type { VenueProfile } from '../../client/profile.js';
import type { Chronicle } from '../../execution/chronicle.js';
import { Execution } from '../../execution/execution.js';
import type { OpenOrder } from '../../execution/tracked-order.js';
import { type Lots, textOf } from '../../model/grid.js';
import { haltReasonOf, isStronger, LIQUIDATION } from '../../model/halt-level.js';
import type { HaltLevel, JournalRecord } from '../../model/journal-record.js';
import type { Market } from '../../model/market.js';
import { type Clock, sleep, type Timers } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { fenceOf, type LiveGatewayOptions, lateBound } from '../live-gateway.js';
import { type Closing, closePosition } from './close-position.js';
import { LateHorizon } from './late-horizon.js';
import { type ScanResult, scanUntilEmpty } from './scan.js';
import type { PairProof } from './stop-proof.js';

export interface VerifiedStopOptions {
  readonly api: LiveGatewayOptions['api'] & Pick<VenueClient, 'position'>;
  readonly profile: VenueProfile;
  readonly market: Market;
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
  /** Ids of own orders that were canceled just before. */
  readonly canceledBefore?: readonly string[] | undefined;
  /** Orders of others on the pair are canceled too. */
  readonly all: boolean;
  /** Largest quantity of one closing order, lots; `undefined`: what the pair's filter allows. */
  readonly slice: Lots | undefined;
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
 * Cancels everything that a bot has on one pair at the venue, and proves it (`product.md` C14). Orders of ours are canceled
 * until two lists in a row hold none. With `flat` the position is closed in reduce-only slices until two reads in a row show
 * none. While an order in doubt could still be executed, all of that is repeated afterwards. It needs the keys, and the
 * journal for what only that knows, but no engine.
 */
export async function verifiedStop(options: VerifiedStopOptions): Promise<PairProof> {
  const { api, profile, clock, level, deadlineMs } = options;
  const deadline = clock.monotonic() + deadlineMs;
  latch(options);
  api.expectOrders(level === 'flat');
  // Where the receive window bounds late execution, only the venue's own time proves that the window is over.
  if (fenceOf(profile) !== undefined) await known(api.clock);
  const stop = new StopUnderWay(options, deadline);
  try {
    return await stop.prove();
  } finally {
    // Also after a bug of ours throws: a pair watch that goes on would keep the process from ending.
    await stop.end();
  }
}

class StopUnderWay {
  readonly #options: VerifiedStopOptions;
  /** Monotonic ms. */
  readonly #deadline: number;
  readonly #execution: Execution;
  readonly #horizon: LateHorizon;
  /** Ids of the bot's orders that the journal, in this stop, has seen canceled. */
  readonly #canceled = new Set<string>();
  /** Keys of the closing orders that have left. */
  readonly #sent = new Set<string>();
  readonly #forget: () => void;
  /** Closing orders so far; they are numbered from 1. */
  #intents = 0;
  #scan: ScanResult | undefined;
  #closing: Closing | undefined;

  constructor(options: VerifiedStopOptions, deadline: number) {
    const { api, profile, market, chronicle, clock } = options;
    this.#options = options;
    this.#deadline = deadline;
    this.#execution = new Execution({
      ...options,
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
    this.#horizon = new LateHorizon(profile, clock, api.clock);
    for (const { validUntil } of chronicle.books.intents(market.pair)) {
      if (validUntil !== undefined) this.#horizon.sent(validUntil);
    }
    this.#forget = chronicle.hear((record) => this.#hear(record));
  }

  #hear(record: JournalRecord): void {
    const { market, chronicle } = this.#options;
    if (record.kind === 'prep') {
      this.#sent.add(record.intent);
      this.#horizon.sent(record.validUntil);
    } else if (record.kind === 'end' && record.status === 'canceled' && !this.#sent.has(record.intent)) {
      const pair = chronicle.books.intent(record.intent)?.pair;
      if (pair === market.pair) this.#canceled.add(record.orderId);
    }
  }

  async prove(): Promise<PairProof> {
    const { clock, timers } = this.#options;
    this.#execution.start();
    /** The newest pass began when no request that was sent could be executed any more. */
    let wasPast = false;
    for (;;) {
      wasPast = this.#horizon.isPast;
      const wasClear = !this.#isDoubtful || wasPast;
      const before = this.#intents;
      await this.#pass();
      // An order that this pass sent may be executed after it.
      wasPast &&= this.#intents === before;
      if (wasClear && (this.#intents === before || !this.#isDoubtful)) break;
      if (clock.monotonic() >= this.#deadline) break;
      // Wait until the order in doubt cannot be executed any more; the next pass then sees all that it has done.
      while (this.#isDoubtful && clock.monotonic() < this.#deadline && !(await this.#isOver())) {
        await sleep(timers, WATCH_MS);
      }
    }
    const rest = await this.#execution.cancelAllOwn(Math.max(0, this.#deadline - clock.monotonic()));
    return this.#proof(rest, wasPast);
  }

  async end(): Promise<void> {
    await this.#execution.stop(SETTLE_MS);
    this.#options.api.expectOrders(false);
    this.#forget();
  }

  get #isDoubtful(): boolean {
    return this.#execution.openOrders().some(({ stage }) => stage !== 'live');
  }

  /** No request that was sent can be executed any more. */
  async #isOver(): Promise<boolean> {
    if (this.#horizon.waitsForVenue) await known(this.#options.api.clock);
    return this.#horizon.isPast;
  }

  async #pass(): Promise<void> {
    const { level } = this.#options;
    await this.#scanOnce();
    if (level !== 'flat') return;
    await this.#close();
    // Orders that were executed while the position was being closed, or a closing order itself, may rest: scan again.
    await this.#scanOnce();
  }

  async #scanOnce(): Promise<void> {
    const { profile, chronicle } = this.#options;
    const scan = await scanUntilEmpty({
      ...this.#options,
      books: chronicle.books,
      echoes: profile.echo !== undefined,
      limit: profile.maxLimit,
      visibilityMs: profile.visibilityLagMs,
      deadline: this.#deadline,
    });
    this.#scan = joined(this.#scan, scan);
  }

  async #close(): Promise<void> {
    const { profile, session } = this.#options;
    const closing = await closePosition({
      ...this.#options,
      execution: this.#execution,
      nextIntent: () => ++this.#intents,
      isOver: async (intent) => this.#sent.has(`${session}-${intent}`) && (await this.#isOver()),
      visibilityMs: profile.visibilityLagMs,
      deadline: this.#deadline,
    });
    this.#closing = both(this.#closing, closing);
  }

  /** `rest`: the orders that are not done. `wasPast`: they could not be executed any more when the last pass began. */
  #proof(rest: readonly OpenOrder[], wasPast: boolean): PairProof {
    const { profile, market, chronicle } = this.#options;
    const { pair, quantityGrid } = market;
    const [scan, closing] = [this.#scan, this.#closing];
    // Where no tag tells whose an order is, an unclaimed resting order may be the one in doubt.
    const mayRest = profile.echo === undefined && (scan?.foreign.length ?? 0) > 0;
    const left = rest.filter(({ stage }) => stage === 'live' || !wasPast || mayRest);
    const unproven = this.#missing(left);
    // For an order without journal records, such as one of somebody else, the venue's answer to the cancel has to do.
    const unrecorded = (scan?.answered ?? []).filter((id) => chronicle.books.order(id) === undefined);
    const canceled = new Set([...this.#canceled, ...unrecorded]);
    for (const { orderId = '' } of left) canceled.delete(orderId);
    const liquidated = haltReasonOf(chronicle.books.halts.filter(({ by }) => by === LIQUIDATION));
    const booked = chronicle.books.position(pair);
    const text = (lots: Lots | undefined) => (lots === undefined ? undefined : textOf(quantityGrid, lots));
    return {
      pair,
      proven: unproven.length === 0,
      unproven,
      state: this.#execution.state().state,
      canceled: [...canceled],
      foreign: scan?.foreign ?? [],
      emptyScans: scan?.emptyScans ?? 0,
      position: { before: text(closing?.before), after: text(closing?.after) },
      closes: closing?.closes ?? [],
      unattributed: rest.filter((order) => !left.includes(order)).map(({ intent }) => intent),
      ...(liquidated === undefined ? {} : { liquidated }),
      ...(booked === undefined || closing?.after === undefined || booked === closing.after
        ? {}
        : { booked: textOf(quantityGrid, booked) }),
      ...this.#bare(canceled, closing?.after ?? booked),
    };
  }

  /** What is left of the position, if a stop of it was canceled: nothing at the venue guards it any more. */
  #bare(canceled: ReadonlySet<string>, position: Lots | undefined): Pick<PairProof, 'bare'> {
    const { chronicle, market, canceledBefore = [] } = this.#options;
    const { books } = chronicle;
    const isStop = (id: string) => books.intent(books.order(id)?.intent ?? '')?.terms.trigger !== undefined;
    const stops = [...new Set([...canceledBefore, ...canceled])].filter(isStop);
    if (position === undefined || position === 0 || stops.length === 0) return {};
    return { bare: { position: textOf(market.quantityGrid, position), stops } };
  }

  /** What is not proven, in words. */
  #missing(left: readonly OpenOrder[]): readonly string[] {
    const { level } = this.#options;
    return [
      ...missingOfScan(this.#scan),
      ...left.map(({ orderId, intent, stage }) =>
        orderId === undefined
          ? `what became of ${intent} (${stage})`
          : `that order ${orderId} (${intent}) is gone`,
      ),
      ...(level === 'flat' ? missingOfClosing(this.#options.market, this.#closing) : []),
    ];
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

function missingOfScan(scan: ScanResult | undefined): readonly string[] {
  if (scan !== undefined && scan.emptyScans >= 2) return [];
  const why = scan?.failure ?? 'there was not time enough for two looks';
  return [`that no order of ours is at the venue: ${why}`];
}

function missingOfClosing(
  { quantityGrid, base, filters }: Market,
  closing: Closing | undefined,
): readonly string[] {
  if (closing !== undefined && closing.flatReads >= 2) return [];
  const { after, failure } = closing ?? {};
  const size =
    after === undefined ? 'what is held is not known' : `${textOf(quantityGrid, after)} ${base} are held`;
  const isSmall = after !== undefined && after !== 0 && Math.abs(after) < filters.quantity.min;
  const small = isSmall ? ', less than the smallest order' : '';
  return [`that the position is flat: ${size}${small}${failure === undefined ? '' : `; ${failure}`}`];
}
