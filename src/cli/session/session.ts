/** Runs a session of any mode from its plan to its orderly end: the runner's bot, with a capture of its inputs. */
import { join } from 'node:path';
import type { LimitUse } from '../../gate/limit-use.js';
import type { MarketFeed } from '../../market-data/market-feed.js';
import { frozen } from '../../model/frozen.js';
import { type Halt, haltReasonOf, LIQUIDATION, strongestOf } from '../../model/halt-level.js';
import type { Market } from '../../model/market.js';
import type { Position } from '../../model/position.js';
import { Chronicle, NO_BOT_JOURNAL } from '../../execution/chronicle.js';
import { compileEarly } from '../../platform/compile-early.js';
import { type BoxedPlan, sessionIn } from '../../runner/black-box/session-in-box.js';
import { type BotEnd, type RunningBot, startBot } from '../../runner/bot.js';
import { DiskWatch } from '../../runner/disk-watch.js';
import type { SuspenseAmount } from '../../runner/ledger-watch.js';
import { noteGrid } from '../../runner/journal-grid.js';
import { type LiveBeginning, LiveSession } from '../../runner/live-session.js';
import { type OpenChronicle, openChronicle } from '../../runner/open-chronicle.js';
import type { EndOfOrders, OpenOrderText } from '../../runner/session-gateway.js';
import type { StartingCash } from '../../runner/starting-cash.js';
import type { SessionCore, SessionCounts } from '../../session/session-core.js';
import type { CaptureFooter } from '../../storage/capture/capture.js';
import { CaptureWriter } from '../../storage/capture/capture-writer.js';
import type { Machine } from '../machine.js';
import { AccountWatch, demandAccount } from '../connection/account-of-key.js';
import { BlackBox, blackBoxPath } from './black-box.js';
import { captureHeader } from './capture.js';
import { watchHalts } from './halts.js';
import { packageVersion } from '../package.js';
import { demandRequests } from './request-budget.js';
import { bothObserve } from './observers.js';
import { liveControls, paperControls, type SessionControls, Stops } from './session-controls.js';
import { paperGateway } from './paper-gateway.js';
import { type SessionPlan, START_POLICY } from './session-plan.js';
import { type Standstill, standstillOf } from './standstill.js';
import { say } from '../view/output.js';

/** The result of a session. */
export interface SessionEnd {
  readonly counts: SessionCounts;
  readonly reasons: SessionCore['reasons'];
  /** For each limit that is set, how much of it was used at the end. */
  readonly limits: readonly LimitUse[];
  readonly polls: number;
  /** Number of trades that are known to be missing. */
  readonly missing: number;
  readonly position: Position;
  /** Price of the newest trade, quote units. */
  readonly lastPrice: number | undefined;
  readonly wantsHash: string;
  readonly decisionHash: string;
  /** Own orders that may still be at the venue. */
  readonly leftOpen: readonly OpenOrderText[];
  /** Money of the account that nothing explains. */
  readonly suspense: readonly SuspenseAmount[];
  /** What keeps the pair from trading on until a person ends it. */
  readonly standstill: Standstill | undefined;
  /** The file or folder with everything that the session was given, for `parity`. */
  readonly capture: string;
  /** Why the capture is incomplete; `undefined` when it is complete. */
  readonly captureFailure: Error | undefined;
}

export interface RunningSession {
  readonly core: SessionCore;
  readonly feed: MarketFeed;
  /** The controls that a daemon uses while the session runs. */
  readonly controls: SessionControls;
  openOrders(): readonly OpenOrderText[];
  /** Rejects with the error of the strategy; never resolves. */
  readonly failed: Promise<never>;
  /**
   * Stops the feed, closes the capture, and cancels own orders until the venue no longer shows them, or leaves them.
   * Called once.
   */
  stop(orders?: EndOfOrders): Promise<SessionEnd>;
}

const STOP_DEADLINE_MS = 10_000;
const LEDGER_MS = 60_000;
const LIQUIDATED = 'the position on paper was liquidated';

/** @throws UsageError when the venue's request budget cannot carry a live session. */
export async function startSession(machine: Machine, plan: SessionPlan): Promise<RunningSession> {
  await demandRequests(plan, LEDGER_MS);
  const market = outlasting(machine, plan.market);
  return plan.mode === 'live'
    ? startLive(machine, { ...plan, market })
    : startPaper(machine, { ...plan, market });
}

/**
 * Treats the market as active: a session reads its market once and may outlast a trading halt, and the venue itself
 * rejects orders during one. An option stays inactive, because options are never traded.
 */
function outlasting({ log }: Machine, market: Market): Market {
  const { pair, contract, active } = market;
  if (active || contract === 'option') return market;
  log.warn('the market is not active at the venue, which takes no orders until it is', { pair });
  return frozen({ ...market, active: true });
}

/** A paper session has no journal, because it has nothing to lose. Its capture holds the inputs of the engine. */
async function startPaper(
  machine: Machine,
  plan: Extract<SessionPlan, { mode: 'paper' }>,
): Promise<RunningSession> {
  const { connection, market, strategy, baseline, reserves, paper } = plan;
  const funds = Number(paper.capital);
  let capture: CaptureWriter | undefined;
  // Nothing is held, and thus liquidated, before there are controls.
  let halt: SessionControls['halt'] = () => undefined;
  // As live, the halt comes before the fill: the strategy's answer to it must not open a position again.
  const onLiquidated = () => {
    machine.log.error(LIQUIDATED, { pair: market.pair });
    halt('pause', LIQUIDATED, LIQUIDATION);
  };
  const bot = await startBot(machine, {
    ...plan,
    strategy: strategy.bound,
    api: connection.api,
    profile: connection.profile,
    funds,
    begin: async () => {
      capture = await captureOf(machine, plan, { funds });
      return { baseline, reserves, observer: bothObserve(capture, plan.watch) };
    },
    gateway: () => paperGateway(market, { ...paper, onLiquidated }),
  }).catch(async (error: unknown) => {
    await capture?.abandon();
    throw error;
  });
  const controls = paperControls(bot.core, connection.api);
  halt = (...words) => controls.halt(...words);
  return running(bot, controls, async () => {
    const { path } = plan.capture;
    const end = await endCaptured((onDecided) => bot.stop(STOP_DEADLINE_MS, onDecided), capture);
    const standstill = standstillOf(booksOf(controls.halts()), market.pair);
    return { ...endOf(bot, end, { path, failure: capture?.failure }), standstill };
  });
}

/** Halts of a session without books; on paper nothing is quarantined. */
function booksOf(halts: readonly Halt[]): Parameters<typeof standstillOf>[0] {
  return {
    quarantine: () => undefined,
    halt: strongestOf(halts)?.level,
    haltReason: haltReasonOf(halts),
    halts,
  };
}

/** With a journal, everything that comes from outside is recorded; without one, only the inputs of the engine. */
async function startLive(
  machine: Machine,
  plan: Extract<SessionPlan, { mode: 'live' }>,
): Promise<RunningSession> {
  compileEarly();
  const { connection, journal, strategy, baseline, reserves = [], onDoubt } = plan;
  const session = sessionName(machine);
  const clientSeed = Buffer.from(machine.entropy.bytes(8)).toString('hex');
  const { url, profile } = connection;
  const { market, limits, seed, every, warmUpMs } = plan;
  const ledger = { everyMs: LEDGER_MS, maxSuspense: plan.maxSuspense };
  const policy = { ...START_POLICY, onQuarantine: plan.onQuarantine ?? START_POLICY.onQuarantine };
  const rules = { limits, onDoubt, policy, ledger };
  const parts = { market, seed, every, warmUpMs, baseline, reserves, readsTransfers: true, ...rules };
  const boxed: BoxedPlan = { ...parts, session, strategy: strategy.bound, url, profile, clientSeed };
  const box =
    journal === undefined
      ? undefined
      : new BlackBox(machine, {
          directory: blackBoxPath(journal, session),
          plan: boxed,
          strategy,
          connection,
        });
  const isKnownAccount = journal === undefined || (await demandAccount(machine, connection, journal));
  const story = await chronicleOf(machine, plan, session, box);
  const { chronicle } = story;
  const halts = await watchHalts(machine, journal, chronicle);
  const { log } = machine;
  const live =
    box === undefined
      ? new LiveSession({ ...machine, api: connection.api, chronicle }, boxed)
      : sessionIn(box.recorder, { chronicle, log, clientOn: connection.clientOn }, boxed);
  let capture: CaptureWriter | undefined;
  const bot = await start().catch(async (error: unknown) => {
    halts.stop();
    await capture?.abandon();
    await box?.abandon();
    await story.close();
    throw error;
  });

  const stops = new Stops((reason) => (box === undefined ? live.block(reason) : box.block(reason, live)));
  const disk = box && (await watchDisk(machine, plan, (reason) => stops.set('disk', reason)));
  const account = journal === undefined ? undefined : new AccountWatch(machine, connection, journal);
  if (!isKnownAccount) account?.begin((reason) => stops.set('account', reason));
  const controls = liveControls(live, chronicle, market.pair, {
    halt: (...words) => (box === undefined ? live.halt(...words) : box.halt(...words, live)),
    resume: (...words) => (box === undefined ? live.resume(...words) : box.resume(...words, live)),
    block: (reason) => stops.set('operator', reason),
    others: (share) => (box === undefined ? live.others(share) : box.others(share, live)),
  });
  return running(bot, controls, async (orders) => {
    disk?.stop();
    account?.stop();
    const end = await stop(orders);
    halts.stop();
    const path = box?.directory ?? plan.capture.path;
    await story.close();
    const { suspense = [] } = live.ledger ?? {};
    const standstill = standstillOf(chronicle.books, market.pair);
    return {
      ...endOf(bot, end, { path, failure: box?.failure ?? capture?.failure }),
      suspense,
      standstill,
    };
  });

  async function start(): Promise<RunningBot> {
    const cashRead = (asOf: number) => plan.watch?.cashRead?.(asOf);
    if (box === undefined) {
      halts.actOn(live);
      return underWay(
        live.start(async ({ cash, ...known }) => {
          capture = await captureOf(machine, { ...plan, ...known }, cash);
          return bothObserve(capture, plan.watch);
        }, cashRead),
      );
    }
    await box.prepare();
    halts.actOn({ halt: (level, reason, by) => box.halt(level, reason, by, live) });
    box.begin(chronicle.books.state());
    return underWay(
      box.recorder.start(() => live.start(() => bothObserve(box.recorder.observer, plan.watch), cashRead)),
    );
  }

  /**
   * An observer may end the start at once. It gets the chance only after the start has begun, so that the recording
   * contains it.
   */
  function underWay(starting: Promise<RunningBot>): Promise<RunningBot> {
    plan.watch?.starting?.({
      standing: () => live.state,
      openOrders: () => live.openOrders,
      abandon(orders) {
        if (box === undefined) live.abandon(STOP_DEADLINE_MS, orders);
        else box.abandonStart(STOP_DEADLINE_MS, orders, live);
      },
    });
    return starting;
  }

  async function stop(orders: EndOfOrders | undefined): Promise<BotEnd> {
    if (box === undefined) {
      return endCaptured((onDecided) => live.stop(STOP_DEADLINE_MS, onDecided, orders), capture);
    }
    const end = await box.stop(STOP_DEADLINE_MS, live, orders);
    await box.finish(end);
    return end;
  }
}

function running(
  bot: RunningBot,
  controls: SessionControls,
  stop: (orders: EndOfOrders | undefined) => Promise<SessionEnd>,
): RunningSession {
  const { core, feed, failed } = bot;
  let ended: Promise<SessionEnd> | undefined;
  return {
    core,
    feed,
    failed,
    controls,
    openOrders: () => bot.openOrders(),
    stop(orders) {
      ended ??= stop(orders);
      return ended;
    },
  };
}

/** The capture ends with the inputs and decisions up to the moment when the stop began. */
async function endCaptured(
  stop: (onDecided: (decided: CaptureFooter) => void) => Promise<BotEnd>,
  capture: CaptureWriter | undefined,
): Promise<BotEnd> {
  let captured: Promise<unknown> = Promise.resolve();
  const end = await stop((decided) => {
    captured = capture?.finish(decided).catch(() => undefined) ?? captured;
  });
  await captured;
  return end;
}

function endOf(
  { core, feed }: RunningBot,
  { position, fills, leftOpen, wantsHash, decisionHash }: BotEnd,
  capture: { readonly path: string; readonly failure: Error | undefined },
): SessionEnd {
  return {
    reasons: core.reasons,
    limits: core.limitUses,
    counts: { ...core.counts, fills },
    polls: feed.stats.polls,
    missing: feed.stats.missing,
    position,
    lastPrice: core.lastPrice,
    wantsHash,
    decisionHash,
    leftOpen,
    suspense: [],
    standstill: undefined,
    capture: capture.path,
    captureFailure: capture.failure,
  };
}

async function captureOf(
  machine: Machine,
  plan: SessionPlan & Partial<Pick<LiveBeginning, 'sent'>>,
  cash: Partial<StartingCash> | undefined,
): Promise<CaptureWriter> {
  const { path, keepMs } = plan.capture;
  const header = await captureHeader(machine.files, plan, cash ?? {});
  return CaptureWriter.open(machine.files, { timers: machine.timers, path, keepMs, header });
}

async function chronicleOf(
  machine: Machine,
  plan: SessionPlan,
  session: string,
  box: BlackBox | undefined,
): Promise<OpenChronicle> {
  if (plan.journal === undefined) {
    return { chronicle: new Chronicle(NO_BOT_JOURNAL), shortage: undefined, close: () => Promise.resolve() };
  }
  const story = await openChronicle({
    ...machine,
    directory: journalPath(plan.journal),
    session,
    engine: await packageVersion(machine.files),
    hashes: { strategy: plan.strategy.sha256 },
    scrub: (text) => machine.scrubber.scrub(text),
    wrap: (journal) => box?.recorder.journal(journal) ?? journal,
  });
  try {
    noteGrid(story.chronicle, plan.market, plan.noted);
  } catch (error) {
    await story.close();
    throw error;
  }
  if (story.shortage !== undefined) {
    await say(`HALTED: ${story.shortage}; what earlier sessions left is canceled, and no order is placed`);
  }
  return story;
}

async function watchDisk(
  machine: Machine,
  { journal }: SessionPlan,
  onChange: (reason: string | undefined) => void,
): Promise<DiskWatch | undefined> {
  if (journal === undefined) return undefined;
  const watch = new DiskWatch({ ...machine, directory: journalPath(journal), onChange });
  await watch.watch();
  return watch;
}

/** In the folder of a bot. */
function journalPath(folder: string): string {
  return join(folder, 'journal');
}

function sessionName({ entropy }: Machine): string {
  return `tw-${Buffer.from(entropy.bytes(6)).toString('hex')}`;
}
