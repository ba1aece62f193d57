/** The strategies of a configuration as what a daemon runs: each with a session, a share of the requests and a folder of its own. */
import { join } from 'node:path';
import { cautious, tickwright, type VenueProfile } from '../../client/profile.js';
import type { StrategyConfig } from '../../config/load-config.js';
import type { DaemonSession } from '../../daemon/daemon-session.js';
import type { DaemonEntry } from '../../daemon/managed-session.js';
import { UsageError } from '../../model/errors.js';
import { VenueError } from '../../ports/venue-api.js';
import type { SessionObserver } from '../../session/session-core.js';
import type { Machine } from '../machine.js';
import { VenueUnavailable } from '../report-error.js';
import { capturePath } from './capture.js';
import { capitalOf } from './capital.js';
import { connect, type ConnectionOptions, isLoopback, type KeyedConnectionOptions } from './connection.js';
import { limitsOf, suspenseBound } from './limits.js';
import { chooseMarket } from './pair.js';
import { startSession } from './session.js';
import type { SessionAccess, SessionPlan } from './session-plan.js';
import type { Settings } from './settings.js';
import { loadConfiguredStrategy, type LoadedStrategy } from './strategy.js';

export interface EntryParts {
  readonly machine: Machine;
  readonly settings: Settings;
  readonly mode: 'paper' | 'live';
  /** With a key in live mode. */
  readonly venue: ConnectionOptions | KeyedConnectionOptions;
}

const WARM_UP_MS = 3_600_000;
const PAPER_LATENCY_MS = 50;
/** Of what a session on paper was given. */
const KEPT_MS = 600_000;
/** What a budget must be able to send at once. */
const LEAST_BURST = 2;

/** @throws UsageError for a strategy that cannot be loaded, before anything runs */
export async function daemonEntries(parts: EntryParts): Promise<readonly DaemonEntry[]> {
  const { machine, settings } = parts;
  const { strategies, file } = settings;
  if (strategies.length === 0) {
    throw new UsageError(
      'TICKWRIGHT_E_DAEMON_STRATEGIES',
      `${file ?? 'the configuration'} must name at least one strategy, received none`,
    );
  }
  const entries: DaemonEntry[] = [];
  for (const [index, config] of strategies.entries()) {
    const { strategy } = await loadConfiguredStrategy(machine, settings, config.file);
    entries.push({
      pair: config.pair,
      strategy: strategy.bound.name,
      params: strategy.params,
      open: (watch) => open(parts, { config, strategy, index, watch }),
    });
  }
  return entries;
}

/** Folder of one pair's session in the state of a daemon. */
export function pairFolder(state: string, pair: string): string {
  return join(state, pair);
}

interface One {
  readonly config: StrategyConfig;
  readonly strategy: LoadedStrategy;
  readonly index: number;
  readonly watch: SessionObserver;
}

async function open(parts: EntryParts, one: One): Promise<DaemonSession> {
  const { machine, settings, venue, mode } = parts;
  const profile = shareOf(venue, settings.strategies.length);
  const connection = connect(machine, { ...venue, profile });
  try {
    const access = { mode, connection } as SessionAccess;
    const market = await chooseMarket(connection.api, one.config.pair);
    const session = await startSession(machine, planOf(parts, one, access, market));
    return {
      ...session.controls,
      core: session.core,
      feed: session.feed,
      failed: session.failed.catch((error: unknown) => {
        throw one.strategy.explain(error);
      }),
      openOrders: () => session.openOrders(),
      async stop(orders) {
        try {
          return await session.stop(orders);
        } finally {
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
 * One budget, in equal shares: which session may send when must not depend on what another one does, or a session could
 * not be computed again from its own recording.
 */
function shareOf({ url, profile: given }: ConnectionOptions, sessions: number): VenueProfile {
  const profile = given ?? (isLoopback(url) ? tickwright : cautious);
  const { perSecond, burst } = profile.budget;
  return {
    ...profile,
    budget: { perSecond: perSecond / sessions, burst: Math.max(LEAST_BURST, burst / sessions) },
  };
}

function planOf(
  { machine, settings, mode }: EntryParts,
  { config, strategy, index, watch }: One,
  access: SessionAccess,
  market: SessionPlan['market'],
): SessionPlan {
  const { poll, limits, state } = settings;
  const folder = pairFolder(state, config.pair);
  return {
    ...access,
    market,
    strategy,
    limits: limitsOf(market, limits),
    maxSuspense: suspenseBound(market, limits),
    // One ledger holds the whole account against the venue; fills of other pairs are in it.
    watchesLedger: index === 0,
    onQuarantine: 'watch',
    onDoubt: config.onDoubt,
    seed: '1',
    every: {
      trades: poll.trades,
      orders: poll.orders,
      ticker: poll.ticker,
      ...(mode === 'live' ? { position: poll.position } : {}),
    },
    warmUpMs: WARM_UP_MS,
    paper: { capital: capitalOf(market, undefined), latencyMs: PAPER_LATENCY_MS },
    journal: mode === 'live' ? folder : undefined,
    watch,
    capture: { path: capturePath(machine, join(folder, 'sessions'), strategy.bound.name), keepMs: KEPT_MS },
  };
}
