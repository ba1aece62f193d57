import { join } from 'node:path';
import { Chronicle, NO_BOT_JOURNAL } from '../../execution/chronicle.js';
import { notesDay } from '../../gate/limits.js';
import { compileEarly } from '../../platform/compile-early.js';
import type { RunningBot } from '../../runner/bot.js';
import type { BoxedPlan } from '../../runner/black-box/session-in-box.js';
import { DiskWatch } from '../../runner/disk-watch.js';
import { noteInherited } from '../../runner/inherited-baseline.js';
import { noteGrid } from '../../runner/journal-grid.js';
import type { StartUnderWay } from '../../runner/live-session.js';
import { type OpenChronicle, openChronicle } from '../../runner/open-chronicle.js';
import { AccountWatch, demandAccount } from '../connection/account-of-key.js';
import type { Machine } from '../machine.js';
import { packageVersion } from '../package.js';
import { say } from '../view/output.js';
import { BlackBox, blackBoxPath } from './black-box.js';
import { watchHalts } from './halts.js';
import { boxedLive, capturedLive, type RecordedLive } from './recorded-live.js';
import { endOf, type RunningSession, running, STOP_DEADLINE_MS } from './running-session.js';
import { liveControls, Stops } from './session-controls.js';
import { type SessionPlan, START_POLICY } from './session-plan.js';
import { standstillOf } from './standstill.js';

type LivePlan = Extract<SessionPlan, { mode: 'live' }>;

/** Time from one cut of the ledger to the next, ms. */
export const LEDGER_MS = 60_000;

/** With a journal, everything that comes from outside is recorded; without one, only the inputs of the engine. */
export async function startLive(machine: Machine, plan: LivePlan): Promise<RunningSession> {
  compileEarly();
  const { connection, journal, strategy, market } = plan;
  const session = sessionName(machine);
  const boxed = boxedPlan(machine, plan, session);
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
  const parts = { plan, boxed, chronicle };
  const recorded = box === undefined ? capturedLive(machine, parts) : boxedLive(machine, parts, box);
  const { live, commands } = recorded;
  const bot = await begin().catch(async (error: unknown) => {
    halts.stop();
    await recorded.abandon();
    await story.close();
    throw error;
  });

  const stops = new Stops((reason) => commands.block(reason));
  const disk = await watchDisk(machine, plan, (reason) => stops.set('disk', reason));
  const account = journal === undefined ? undefined : new AccountWatch(machine, connection, journal);
  if (!isKnownAccount) account?.begin((reason) => stops.set('account', reason));
  const controls = liveControls(live, chronicle, market.pair, {
    halt: (...words) => commands.halt(...words),
    resume: (...words) => commands.resume(...words),
    block: (reason) => stops.set('operator', reason),
    others: (share) => commands.others(share),
    unrecorded: () => recorded.failure?.message,
  });
  return running(bot, controls, async (orders) => {
    disk?.stop();
    account?.stop();
    const end = await recorded.stop(orders);
    halts.stop();
    await story.close();
    const { suspense = [] } = live.ledger ?? {};
    const standstill = standstillOf(chronicle.books, market.pair);
    return { ...endOf(bot, end, recorded), suspense, standstill };
  });

  async function begin(): Promise<RunningBot> {
    await recorded.prepare();
    halts.actOn(commands);
    const starting = recorded.start();
    // The observer may end the start at once: it gets the chance only now, so that the recording contains it.
    plan.watch?.starting?.(startUnderWay(recorded));
    return starting;
  }
}

function boxedPlan(machine: Machine, plan: LivePlan, session: string): BoxedPlan {
  const {
    connection,
    market,
    strategy,
    limits,
    seed,
    every,
    warmUpMs,
    baseline,
    reserves = [],
    onDoubt,
  } = plan;
  const { url, profile } = connection;
  return {
    market,
    seed,
    every,
    warmUpMs,
    baseline,
    reserves,
    readsTransfers: true,
    recountsCash: true,
    limits,
    onDoubt,
    policy: { ...START_POLICY, onQuarantine: plan.onQuarantine ?? START_POLICY.onQuarantine },
    ledger: { everyMs: LEDGER_MS, maxSuspense: plan.maxSuspense, followsTransfers: true },
    session,
    strategy: strategy.bound,
    url,
    profile,
    clientSeed: Buffer.from(machine.entropy.bytes(8)).toString('hex'),
  };
}

function startUnderWay({ live, commands }: RecordedLive): StartUnderWay {
  return {
    standing: () => live.state,
    openOrders: () => live.openOrders,
    leftStops: () => live.leftStops,
    abandon: (orders) => commands.abandon(STOP_DEADLINE_MS, orders),
  };
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
    const others = notesDay(plan.limits) ? plan.watch?.noted?.(plan.market.quote) : undefined;
    if (others !== undefined) noteInherited(story.chronicle, others, machine.clock);
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
