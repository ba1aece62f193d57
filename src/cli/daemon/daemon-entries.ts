/**
 * Makes the entries of a daemon from the strategies of a configuration. Each has its own session, folder and share of
 * requests.
 */
import { join } from 'node:path';
import type { VenueProfile } from '../../client/profile.js';
import type { StrategyConfig } from '../../config/load-config.js';
import type { DaemonSession } from '../../daemon/daemon-session.js';
import { type BlockedFile, readBlocked } from '../../daemon/blocked-file.js';
import type { Heartbeat } from '../../daemon/control/heartbeat.js';
import type { ControlStrategy } from '../../daemon/control/messages.js';
import type { DaemonEntry } from '../../daemon/daemon-entry.js';
import { idleStrategy, markedStrategy } from '../../daemon/marked-strategy.js';
import { PairUnlisted } from '../../daemon/pair-unlisted.js';
import type { DayBaseline } from '../../gate/daily-loss.js';
import { StrategyBlocked, UsageError } from '../../model/errors.js';
import { demandPerpetual, type Market } from '../../model/market.js';
import type { Files } from '../../ports/files.js';
import { type PublicVenueApi, VenueError } from '../../ports/venue-api.js';
import type { SessionWatch } from '../../runner/live-session.js';
import type { Machine } from '../machine.js';
import { VenueUnavailable } from '../report-error.js';
import { momentText } from '../view/moment.js';
import { capturePath } from '../session/capture.js';
import { capitalOf } from '../settings/capital.js';
import type { HoldingReader } from './account-holding.js';
import {
  connect,
  type ConnectionOptions,
  type KeyedConnectionOptions,
  profileOf,
} from '../connection/connection.js';
import { limitsOf, suspenseBound } from '../settings/limits.js';
import { chooseConfigured, refusalOf } from '../settings/pair.js';
import { journaledPair, noteMarket, onGridOfJournal, wasTraded } from '../journal/journaled.js';
import { pairFolder } from '../journal/pair-folder.js';
import { paperDayAfter } from './paper-day.js';
import { startSession } from '../session/session.js';
import type { SessionAccess, SessionPlan } from '../session/session-plan.js';
import type { Settings } from '../settings/settings.js';
import { type LoadedStrategy, loadEntry, strategyPath } from '../strategy/strategy.js';

export interface EntryParts {
  readonly machine: Machine;
  readonly settings: Settings;
  readonly mode: 'paper' | 'live';
  /** Has a key in live mode. */
  readonly venue: ConnectionOptions | KeyedConnectionOptions;
  /** Is told which strategy's code is running. */
  readonly heartbeat: Pick<Heartbeat, 'enter' | 'leave'>;
  /** Asks the venue what a pair holds. Absent on paper, where only sessions hold positions. */
  readonly held?: HoldingReader | undefined;
  /** By pair: the figures from which the limits of its next paper session continue. */
  readonly paperDays: Map<string, DayBaseline>;
}

/** An entry with what the control thread has to know of it when its strategy hangs the engine. */
export interface ConfiguredEntry extends DaemonEntry, Omit<ControlStrategy, 'name'> {
  readonly config: StrategyConfig;
  /** Index in the configuration. */
  readonly index: number;
  /** File of its strategy. */
  readonly file: string;
  /** As that of its strategy. */
  readonly explain: LoadedStrategy['explain'];
  /** Parameters that were given explicitly; the others have their defaults. */
  readonly given: Readonly<Record<string, string>>;
}

const PAPER_LATENCY_MS = 50;
/** How long a paper session's inputs are kept, ms. */
const KEPT_MS = 600_000;
/** Smallest burst of a request budget. */
const LEAST_BURST = 2;

/** @throws UsageError for a strategy that cannot be loaded, before any session runs */
export async function daemonEntries(parts: EntryParts): Promise<readonly ConfiguredEntry[]> {
  const { machine, settings } = parts;
  const { strategies, file } = settings;
  if (strategies.length === 0) {
    throw new UsageError(
      'TICKWRIGHT_E_DAEMON_STRATEGIES',
      `${file ?? 'the configuration'} must name at least one strategy, received none`,
    );
  }
  const entries: ConfiguredEntry[] = [];
  for (const [index, config] of strategies.entries()) {
    const path = await strategyPath(machine, config.file);
    const strategy = await loadEntry(machine, settings, config, { path });
    entries.push(entryOf(parts, { config, index, strategy, given: config.params }));
  }
  return entries;
}

/** `before` runs right before each session of the entry begins. */
export function entryOf(
  parts: EntryParts,
  {
    config,
    index,
    strategy,
    given,
  }: Pick<ConfiguredEntry, 'config' | 'index' | 'given'> & Pick<One, 'strategy'>,
  before: () => Promise<void> = () => Promise.resolve(),
): ConfiguredEntry {
  return {
    config,
    index,
    given,
    explain: (error) => strategy.explain(error),
    pair: config.pair,
    strategy: strategy.bound.name,
    file: strategy.file,
    params: strategy.params,
    sha256: strategy.sha256,
    pollMs: parts.settings.poll.trades,
    beginsAnew: parts.mode === 'paper',
    folder: pairFolder(parts.settings.state, config.pair),
    ...(parts.held === undefined ? {} : { held: () => (parts.held as HoldingReader)(config) }),
    ...(parts.mode === 'live'
      ? { journaled: () => journaledPair(parts.machine.files, parts.settings.state, config.pair) }
      : {}),
    async open(watch) {
      await before();
      return open(parts, { config, strategy, index, watch });
    },
  };
}

interface One {
  readonly config: StrategyConfig;
  readonly strategy: LoadedStrategy;
  readonly index: number;
  readonly watch: SessionWatch;
}

async function open(parts: EntryParts, given: One): Promise<DaemonSession> {
  const { machine, settings, venue, mode } = parts;
  const blocked = await readBlocked(
    machine.files,
    pairFolder(settings.state, given.config.pair),
    given.strategy.sha256,
  );
  const one = { ...given, strategy: runnable(parts, given, blocked !== undefined) };
  const profile = shareOf(venue, settings.strategies.length);
  const connection = connect(machine, { ...venue, profile });
  try {
    const access = { mode, connection } as SessionAccess;
    const listed = await marketOf(parts, connection.api, one.config);
    const { files } = machine;
    const { market, noted } =
      mode === 'live'
        ? await onGridOfJournal(files, pairFolder(settings.state, listed.pair), listed)
        : { market: listed, noted: undefined };
    const note = () => noteMarket(files, settings.state, market).catch(noRoom(machine, market));
    if (mode === 'live' && noted === undefined) await note();
    const session = await startSession(machine, { ...planOf(parts, one, access, market), noted });
    // Not before the journal says itself what it counts in.
    if (noted !== undefined) void note();
    return {
      ...session.controls,
      core: session.core,
      feed: session.feed,
      failed:
        blocked === undefined
          ? session.failed.catch((error: unknown) => {
              throw one.strategy.explain(error);
            })
          : Promise.reject(blockedError(blocked)),
      openOrders: () => session.openOrders(),
      async stop(orders) {
        try {
          return await session.stop(orders);
        } finally {
          const day = paperDayAfter(session.core);
          if (mode === 'paper' && day !== undefined) parts.paperDays.set(market.pair, day);
          await connection.close();
        }
      },
    };
  } catch (error) {
    await connection.close();
    throw error instanceof VenueError ? new VenueUnavailable(venue.url, error) : one.strategy.explain(error);
  }
}

/**
 * The market of a configured pair. If a pair that ran before is missing, it is asked for again: a final refusal would
 * keep the other pairs from running, and leave nobody to look after what an earlier life left at the venue.
 *
 * @throws PairUnlisted for a missing pair that ran before; UsageError for one that never did, which may be a typing
 * error, and for one that is not a perpetual
 */
async function marketOf(
  { machine, settings, mode }: EntryParts,
  api: Pick<PublicVenueApi, 'markets'>,
  config: StrategyConfig,
): Promise<Market> {
  const market = await listedMarket({ machine, settings, mode }, api, config);
  demandPerpetual(market, refusalOf(settings, { pair: market.pair, strategy: config }));
  return market;
}

async function listedMarket(
  { machine, settings, mode }: Pick<EntryParts, 'machine' | 'settings' | 'mode'>,
  api: Pick<PublicVenueApi, 'markets'>,
  config: StrategyConfig,
): Promise<Market> {
  try {
    return await chooseConfigured(api, settings, undefined, config);
  } catch (error) {
    const { pair } = config;
    const { files } = machine;
    const { state } = settings;
    const ran = mode === 'live' ? wasTraded(files, state, pair) : wasCaptured(files, state, pair);
    if (error instanceof UsageError && (await ran)) throw new PairUnlisted(pair);
    throw error;
  }
}

/** Whether the pair ever ran with this state folder, on paper or live: captures begin once its market is known. */
async function wasCaptured(files: Files, state: string, pair: string): Promise<boolean> {
  return (await files.stat(capturesIn(pairFolder(state, pair)))) !== undefined;
}

function capturesIn(folder: string): string {
  return join(folder, 'sessions');
}

/** Without this note, offline commands show the position in lots. */
function noRoom({ log }: Machine, { pair }: Market): (error: unknown) => void {
  return (error) => log.warn('what a lot of the pair is cannot be noted', { pair, error: String(error) });
}

/** A strategy that is blocked does not run: its session only cancels the orders that were left. */
function runnable({ heartbeat }: EntryParts, { strategy, index }: One, isBlocked: boolean): LoadedStrategy {
  const { bound } = strategy;
  const mark = { enter: () => heartbeat.enter(index), leave: () => heartbeat.leave() };
  return { ...strategy, bound: isBlocked ? idleStrategy(bound) : markedStrategy(bound, mark) };
}

function blockedError({ at, silentMs, error }: BlockedFile): StrategyBlocked {
  const did =
    error === undefined
      ? `it ran for ${Math.round(silentMs / 1_000)} s without an end and hung the daemon at ${momentText(at)}`
      : `it threw outside of its handlers and ended the daemon at ${momentText(at)} (${error})`;
  return new StrategyBlocked(
    'TICKWRIGHT_E_STRATEGY_BLOCKED',
    `${did}; ` + 'it is started again when its code is another one, or after tickwright resume',
  );
}

/**
 * Each session gets an equal, fixed share of one budget. If what one session may send depended on the others, its
 * decisions could not be recomputed from its own recording.
 */
function shareOf(venue: ConnectionOptions, sessions: number): VenueProfile {
  const profile = profileOf(venue);
  const { perSecond, burst } = profile.budget;
  return {
    ...profile,
    budget: { perSecond: perSecond / sessions, burst: Math.max(LEAST_BURST, burst / sessions) },
  };
}

function planOf(
  { machine, settings, mode, paperDays }: EntryParts,
  { config, strategy, watch }: One,
  access: SessionAccess,
  market: SessionPlan['market'],
): SessionPlan {
  const { poll, limits, state } = settings;
  const folder = pairFolder(state, config.pair);
  return {
    ...access,
    market,
    strategy,
    limits: limitsOf(market, settings),
    maxSuspense: suspenseBound(market, limits),
    onQuarantine: 'watch',
    onDoubt: config.onDoubt,
    baseline: mode === 'paper' ? paperDays.get(market.pair) : undefined,
    seed: '1',
    every: {
      trades: poll.trades,
      orders: poll.orders,
      ticker: poll.ticker,
      ...(mode === 'live' ? { position: poll.position } : {}),
    },
    budgetShares: settings.strategies.length,
    warmUpMs: config.warmUp,
    paper: { capital: capitalOf(market, undefined), latencyMs: PAPER_LATENCY_MS },
    journal: mode === 'live' ? folder : undefined,
    haltFolder: folder,
    watch,
    capture: { path: capturePath(machine, capturesIn(folder), strategy.bound.name), keepMs: KEPT_MS },
  };
}
