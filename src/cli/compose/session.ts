/** A session of any mode, from its plan to its orderly end: the runner's bot with a capture of what it saw. */
import { join } from 'node:path';
import type { LimitUse } from '../../gate/limit-use.js';
import type { MarketFeed } from '../../market-data/market-feed.js';
import type { Position } from '../../model/position.js';
import { Chronicle, NO_BOT_JOURNAL } from '../../execution/chronicle.js';
import { type RunningBot, startBot } from '../../runner/bot.js';
import { historyOf } from '../../runner/history.js';
import { liveGateway } from '../../runner/live-gateway.js';
import { type OpenChronicle, openChronicle } from '../../runner/open-chronicle.js';
import type { OpenOrderText } from '../../runner/session-gateway.js';
import type { SessionCore, SessionCounts, SessionObserver } from '../../session/session-core.js';
import { CaptureWriter } from '../../storage/capture-writer.js';
import type { Machine } from '../machine.js';
import { cashIn, type StartingCash } from './capital.js';
import { captureHeader } from './capture.js';
import { watchHalts } from './halts.js';
import { packageVersion } from './package.js';
import { paperGateway } from './paper-gateway.js';
import { type SessionPlan, START_POLICY } from './session-plan.js';

/** What a session came to. */
export interface SessionEnd {
  readonly counts: SessionCounts;
  readonly reasons: SessionCore['reasons'];
  /** Of each limit that is set, how much was used at the end. */
  readonly limits: readonly LimitUse[];
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
  const { market } = plan;
  const session = sessionName(machine);
  const story = await chronicleOf(machine, plan, session);
  const halts = await watchHalts(machine, plan.mode === 'live' ? plan.journal : undefined, story.chronicle);
  const cash = await cashOf(plan);
  let capture: CaptureWriter | undefined;
  const bot = await start().catch(async (error: unknown) => {
    halts.stop();
    await capture?.abandon();
    await story.close();
    throw error;
  });

  return {
    core: bot.core,
    feed: bot.feed,
    openOrders: () => bot.openOrders(),
    failed: bot.failed,
    stop: () => endOf(bot),
  };

  function start(): Promise<RunningBot> {
    const { connection, every, strategy, limits, warmUpMs, seed, onDoubt } = plan;
    const parts = { market, strategy: strategy.bound, limits, every, warmUpMs, seed, onDoubt };
    return startBot(machine, {
      ...parts,
      api: connection.api,
      profile: connection.profile,
      funds: cash.funds,
      wealth: cash.wealth,
      begin: async () => {
        const known = historyOf(story.chronicle, market.pair, machine.clock.wall());
        const baseline = plan.baseline ?? known.baseline;
        const reserves = [...(plan.reserves ?? []), ...known.reserves];
        capture = await CaptureWriter.open(machine.files, {
          path: plan.capture.path,
          keepMs: plan.capture.keepMs,
          header: await captureHeader(machine.files, { ...plan, baseline, reserves }, cash),
        });
        return { baseline, reserves, observer: observing(capture, story.chronicle, machine) };
      },
      gateway(data) {
        if (plan.mode === 'paper') return paperGateway(market, plan.paper);
        const gateway = liveGateway({
          ...machine,
          ...plan.connection,
          market,
          session,
          watchEveryMs: every.orders,
          maxPosition: limits.maxPosition,
          chronicle: story.chronicle,
          ...START_POLICY,
          onQuarantine: 'throw',
          data,
        });
        halts.actOn(gateway.execution);
        return gateway;
      },
    });
  }

  async function endOf(running: RunningBot): Promise<SessionEnd> {
    const { core, feed } = running;
    let captured: Promise<unknown> = Promise.resolve();
    const end = await running.stop(STOP_DEADLINE_MS, (decided) => {
      captured = capture?.finish(decided).catch(() => undefined) ?? captured;
    });
    const { position, fills, leftOpen, wantsHash, decisionHash } = end;
    halts.stop();
    await captured;
    await story.close();
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
      captureFailure: capture?.failure,
    };
  }
}

/** The journal of a live session where one is kept; nothing on paper, where nothing can be lost. */
async function chronicleOf(machine: Machine, plan: SessionPlan, session: string): Promise<OpenChronicle> {
  if (plan.mode === 'paper' || plan.journal === undefined) {
    return { chronicle: new Chronicle(NO_BOT_JOURNAL), close: () => Promise.resolve() };
  }
  return openChronicle({
    ...machine,
    directory: join(plan.journal, 'journal'),
    session,
    engine: await packageVersion(machine.files),
    hashes: { strategy: plan.strategy.sha256 },
    scrub: (text) => machine.scrubber.scrub(text),
  });
}

/** The capture, and in the journal what a later session of the same day and `why` need. */
function observing(capture: CaptureWriter, chronicle: Chronicle, { clock }: Machine): SessionObserver {
  return {
    input: (input, event) => capture.input(input, event),
    decision(input, commands, refusals, superseded) {
      capture.decision(input, commands, refusals, superseded);
      for (const { pair, rule, asked, bound, reason } of refusals) {
        const refusal = { pair, rule, asked, bound, reason, intent: undefined, time: clock.wall() };
        chronicle.note({ kind: 'refusal', ...refusal }, 'lazy');
      }
    },
    baseline(baseline) {
      chronicle.note({ kind: 'baseline', ...baseline, wall: clock.wall() }, 'durable');
    },
  };
}

/** Quote units; nothing when the account has no such asset. */
async function cashOf(plan: SessionPlan): Promise<Partial<StartingCash>> {
  if (plan.mode === 'paper') return { funds: Number(plan.paper.capital) };
  return cashIn(await plan.connection.api.balances(), plan.market.quote) ?? {};
}

function sessionName({ entropy }: Machine): string {
  return `tw-${Buffer.from(entropy.bytes(6)).toString('hex')}`;
}
