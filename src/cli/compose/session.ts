/** A session of any mode, from its parts to its orderly end. */
import { type Observable, type Subscription, tap } from 'rxjs';
import { Engine } from '../../engine/engine.js';
import { MarketFeed } from '../../market-data/market-feed.js';
import type { Fill } from '../../model/fill.js';
import type { Market } from '../../model/market.js';
import { applyFill, type Position } from '../../model/position.js';
import { NO_JOURNAL } from '../../ports/journal.js';
import { runSession } from '../../session/session.js';
import { SessionCore, type SessionCounts } from '../../session/session-core.js';
import { CaptureWriter } from '../../storage/capture-writer.js';
import type { Machine } from '../machine.js';
import { fundsIn } from './capital.js';
import { captureHeader } from './capture.js';
import type { KeyedConnection } from './connection.js';
import { createGateway, type OpenOrderText } from './gateway.js';
import type { SessionPlan } from './session-plan.js';

/** What a session came to. */
export interface SessionEnd {
  readonly counts: SessionCounts;
  readonly reasons: SessionCore['reasons'];
  readonly polls: number;
  /** Trades that are known to be missing. */
  readonly missing: number;
  readonly position: Position;
  /** Quote units of the newest trade. */
  readonly lastPrice: number | undefined;
  readonly wantsHash: string;
  readonly decisionHash: string;
  /** Own orders that may still be at the venue. */
  readonly leftOpen: readonly OpenOrderText[];
  /** Why the capture is not whole; `undefined` when it is. */
  readonly captureFailure: Error | undefined;
}

export interface RunningSession {
  readonly core: SessionCore;
  readonly feed: MarketFeed;
  openOrders(): readonly OpenOrderText[];
  /** Rejects with what the strategy threw; never resolves. */
  readonly failed: Promise<never>;
  /** Stops the feed, closes the capture, and cancels own orders until they are seen to be gone. Once. */
  stop(): Promise<SessionEnd>;
}

const STOP_DEADLINE_MS = 10_000;

export async function startSession(machine: Machine, plan: SessionPlan): Promise<RunningSession> {
  const { connection, market, strategy, limits, seed } = plan;
  const { clock, timers, log, files } = machine;
  const funds =
    plan.mode === 'paper' ? Number(plan.paper.capital) : await availableFunds(plan.connection, market);
  const engine = new Engine({ strategy: strategy.bound, market, seed, warmUp: true });
  const capture = await CaptureWriter.open(files, {
    path: plan.capture.path,
    keepMs: plan.capture.keepMs,
    header: await captureHeader(files, plan, funds),
  });
  const gateway = createGateway({
    access: plan,
    machine,
    market,
    paper: plan.paper,
    session: sessionName(machine),
    watchEveryMs: plan.every.orders,
  });
  const core = new SessionCore({
    engine,
    limits,
    warmUp: true,
    funds,
    journal: NO_JOURNAL,
    sink: gateway,
    observer: capture,
  });
  const feed = new MarketFeed({
    api: connection.api,
    market,
    profile: {
      maxLimit: connection.profile.maxLimit,
      contiguousIds: connection.profile.tradeIds === 'contiguous',
      visibilityLagMs: connection.profile.visibilityLagMs,
      followClock: connection.profile.clock === 'follow',
    },
    every: plan.every,
    timers,
    clock,
    log,
    warmUpMs: plan.warmUpMs,
  });
  const events$ = feed.events$.pipe(tap((event) => gateway.before(event)));
  const running = subscribe(runSession({ core, feed: { events$ }, reports$: gateway.reports$ }));

  return {
    core,
    feed,
    openOrders: () => gateway.openOrders(),
    failed: running.failed,
    async stop() {
      running.subscription.unsubscribe();
      // What comes from here on is no input any more: the engine would only order anew.
      const late: Fill[] = [];
      const listening = gateway.reports$.subscribe((report) => {
        if (report.kind === 'filled') late.push(report.fill);
      });
      const { inputs } = core.counts;
      const ending = { wantsHash: engine.wantsHash(), decisionHash: core.decisionHash() };
      // At once: while the capture is written, nothing that waits for its turn may still be sent.
      const finishing = gateway.finish(STOP_DEADLINE_MS);
      await capture.finish({ inputs, ...ending }).catch(() => undefined);
      const leftOpen = await finishing;
      listening.unsubscribe();
      return {
        reasons: core.reasons,
        counts: { ...core.counts, fills: core.counts.fills + late.length },
        polls: feed.stats.polls,
        missing: feed.stats.missing,
        position: late.reduce((position, fill) => applyFill(market, position, fill), engine.position),
        lastPrice: core.lastPrice,
        ...ending,
        leftOpen,
        captureFailure: capture.failure,
      };
    },
  };
}

function subscribe(handled$: Observable<unknown>): {
  readonly subscription: Subscription;
  readonly failed: Promise<never>;
} {
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  return { subscription: handled$.subscribe({ error: fail }), failed };
}

/** Quote units; `undefined` when the account has no such asset. */
async function availableFunds({ api }: KeyedConnection, { quote }: Market): Promise<number | undefined> {
  return fundsIn(await api.balances(), quote);
}

function sessionName({ entropy }: Machine): string {
  return `tw-${Buffer.from(entropy.bytes(6)).toString('hex')}`;
}
