import { seededRandom } from '../model/random.js';
import type { FaultDecision } from '../venue/faults/fault-plan.js';
import type { Lots } from '../model/grid.js';
import { faultKind } from './fault-kind.js';
import { liveMs } from './live-time.js';
import { Machine, marketOrder } from './machine.js';
import { Oracle, type OracleCounts, type Violation } from './oracle.js';
import type { Subject } from './subject.js';
import { accountOf, configOf, holdsSecret, MARKET, START_TICKS } from './subject-config.js';
import type { SwarmPlan } from './swarm-plan.js';
import type { Tally } from './tally.js';
import type { Drain } from './world/scheduler.js';
import type { TraceLine } from './world/trace.js';
import { VenueWorld } from './world/venue-world.js';
import { VirtualDisk } from './world/virtual-disk.js';

export interface RunOptions {
  readonly subject: Subject;
  readonly drain: Drain;
  /** Whether to continue after the first violation; default false. */
  readonly goOn?: boolean | undefined;
  /** Called with lines of the trace, in batches. Of a second with very many lines it gets only the last ones. */
  readonly onTrace?: ((line: TraceLine) => void) | undefined;
}

/** The result of a run. Equal plans and subjects give equal results on every machine. */
export interface RunResult {
  readonly seed: number;
  readonly subject: string;
  readonly traceHash: string;
  /** Number of trace entries, and of events of the scheduler. */
  readonly traced: number;
  readonly events: number;
  /** Simulated time, virtual ms. */
  readonly ranMs: number;
  /** Number of faults by the name of their rule or incident. */
  readonly faults: Readonly<Record<string, number>>;
  readonly lives: number;
  /** Number of crashes by crash point. */
  readonly crashes: Readonly<Record<string, number>>;
  readonly doubts: number;
  readonly judged: Readonly<Record<string, number>>;
  /** How often each kind of fault struck in each state of the pair; `down`: no process was running. */
  readonly met: Readonly<Record<string, Tally>>;
  /** Number of verdicts by kind and by seconds since the request had left. */
  readonly verdicts: Readonly<Record<string, Tally>>;
  readonly counts: OracleCounts;
  /** Number of log lines and files that contain the key or the secret. */
  readonly secrets: number;
  /** The program's last claim. */
  readonly lastWords: string;
  readonly violations: readonly Violation[];
}

/** A result with what shrinking needs in addition. */
export interface DetailedRun extends RunResult {
  /** The newest decisions of the fault plan, oldest first. */
  readonly decisions: readonly FaultDecision[];
}

const SECOND_MS = 1_000;
/** At the end of the calm, nothing new is wanted for this time, so that what is under way comes to rest. */
const QUIET_MS = 5 * 60_000;
/** Faults continue for this time after a program has asked for its operator. */
const STUCK_MS = 30 * 60_000;

/** Runs the plan from its start to the end of its calm, or to the first violation. */
export async function runPlan(plan: SwarmPlan, options: RunOptions): Promise<DetailedRun> {
  const { subject, drain, goOn = false, onTrace } = options;
  const account = accountOf(plan);
  const { market, network, lookMs = SECOND_MS } = plan;
  const world = new VenueWorld({
    seed: plan.seed,
    drain,
    markets: [{ market: MARKET, startTicks: START_TICKS, everyMs: market.everyMs }],
    accounts: [account],
    faults: plan.faults,
    network,
  });
  const { openingLots = 0 as Lots } = plan;
  if (openingLots !== 0) {
    world.core.place(world.account(account.name), marketOrder(openingLots), world.venueNow());
  }
  const disk = new VirtualDisk({ random: seededRandom(`disk/${plan.seed}`) });
  const config = configOf(plan, world.baseUrl);
  const parts = { world, plan, disk, subject, config };
  const oracle = new Oracle({ ...parts, account: world.account(account.name) });
  const machine = new Machine({ ...parts, oracle });
  const { scheduler } = world;
  let told = 0;
  for (const incident of plan.incidents) {
    scheduler.at(incident.atMs, () => {
      if (oracle.facts.healedAt === undefined) machine.happen(incident);
    });
  }
  everyLook();
  machine.start();

  const isOver = () => !goOn && oracle.violations.length > 0;
  // If the program waits for an operator, nothing further happens, so the run ends early.
  await scheduler.runUntilDone(() => isOver() || oracle.facts.stuckMs > STUCK_MS, plan.faultyMs);
  if (!isOver()) {
    world.heal();
    disk.heal();
    machine.heal();
    oracle.facts.healedAt = scheduler.now;
    // If the machine sleeps beyond the end of the faults, the calm begins when it wakes.
    const calmFrom = Math.max(scheduler.now, oracle.facts.awakeSince);
    config.workload.endAt(world.venueNow() + (calmFrom - scheduler.now) + plan.calmMs - QUIET_MS);
    const throttled = (world.faults?.log ?? []).filter(({ kind, applied }) => kind === 'throttle' && applied);
    const throttling = { endedAt: world.venueNow(), times: throttled.map(({ time }) => time) };
    const live = Math.min(plan.calmMs, liveMs(plan, throttling));
    if (!(await scheduler.runUntilDone(isOver, calmFrom + live))) {
      if (machine.isUp) oracle.healed();
      if (!(await scheduler.runUntilDone(isOver, calmFrom + plan.calmMs))) oracle.finish();
    }
  }
  tellTrace();
  return {
    seed: plan.seed,
    subject: subject.name,
    traceHash: world.trace.hash,
    traced: world.trace.count,
    events: scheduler.events,
    ranMs: scheduler.now,
    faults: faultCounts(),
    lives: machine.lives,
    crashes: Object.fromEntries(machine.crashes),
    doubts: machine.doubts,
    judged: oracle.facts.judgedCounts(),
    met: oracle.met(),
    verdicts: oracle.facts.verdictTimes(),
    counts: oracle.counts(),
    secrets: machine.secretsInLogs + filesWithSecrets(disk),
    lastWords: oracle.lastWords,
    violations: oracle.violations,
    decisions: world.faults?.log ?? [],
  };

  function everyLook(): void {
    scheduler.at(scheduler.now + lookMs, () => {
      everyLook();
      machine.look();
      oracle.look();
      tellTrace();
    });
  }

  function tellTrace(): void {
    if (onTrace === undefined) return;
    world.trace.tail(world.trace.count - told).forEach(onTrace);
    told = world.trace.count;
  }

  function faultCounts(): Record<string, number> {
    const counts: Record<string, number> = {};
    const add = (name: string, count: number) => {
      if (count > 0) counts[name] = (counts[name] ?? 0) + count;
    };
    for (const { name, struck } of world.faults?.report().rules ?? []) add(faultKind(name), struck);
    for (const { kind } of world.connectDecisions) add(`connect-${kind}`, 1);
    for (const [kind, count] of machine.incidents) add(kind, count);
    return counts;
  }
}

function filesWithSecrets(disk: VirtualDisk): number {
  const texts = disk.paths().map((path) => Buffer.from(disk.contents(path) ?? []).toString('latin1'));
  return texts.filter(holdsSecret).length;
}
