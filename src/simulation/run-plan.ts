import { seededRandom } from '../model/random.js';
import type { FaultDecision } from '../venue/faults/fault-plan.js';
import type { Lots } from '../model/grid.js';
import { faultKind } from './fault-kind.js';
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
  /** Goes on after the first violation; default false. */
  readonly goOn?: boolean | undefined;
  /** Called with the lines of the trace, some at a time; of a second with very many only the last ones. */
  readonly onTrace?: ((line: TraceLine) => void) | undefined;
}

/** What a run came to. Equal for equal plans and subjects, on every machine. */
export interface RunResult {
  readonly seed: number;
  readonly subject: string;
  readonly traceHash: string;
  /** Entries of the trace, and events of the time line. */
  readonly traced: number;
  readonly events: number;
  /** Virtual ms that were run. */
  readonly ranMs: number;
  /** Faults that happened, by the name of their rule or incident. */
  readonly faults: Readonly<Record<string, number>>;
  readonly lives: number;
  /** By where the program died. */
  readonly crashes: Readonly<Record<string, number>>;
  readonly doubts: number;
  readonly judged: Readonly<Record<string, number>>;
  /** How often each kind of fault met each state of the pair; `down`: no process was there. */
  readonly met: Readonly<Record<string, Tally>>;
  /** How many verdicts of each kind came so many seconds after the request had left. */
  readonly verdicts: Readonly<Record<string, Tally>>;
  readonly counts: OracleCounts;
  /** Log lines and files in which the key or the secret stands. */
  readonly secrets: number;
  /** What the program said in the end. */
  readonly lastWords: string;
  readonly violations: readonly Violation[];
}

/** What shrinking needs besides. */
export interface DetailedRun extends RunResult {
  /** The newest decisions of the fault plan, oldest first. */
  readonly decisions: readonly FaultDecision[];
}

const SECOND_MS = 1_000;
/** At the end nothing is decided any more for so long, so that what was under way comes to rest. */
const QUIET_MS = 5 * 60_000;
/** Faults go on for so long after a program has asked for its operator, and then no more. */
const STUCK_MS = 30 * 60_000;
/** A scan of all lists, with room for reads that were under way. */
const SCAN_MS = 60_000;
/** A circuit breaker may have opened for so long just before (`reliability.md` c.5). */
const BREAKER_MS = 30_000;

/** T_live of `reliability.md` b.6, ms: from the last fault on, until nothing is left that is not proven. */
export function liveMs({ pollMs, bounds }: Pick<SwarmPlan, 'pollMs' | 'bounds'>): number {
  return BREAKER_MS + bounds.lateMs + 2 * bounds.visibilityMs + 4 * pollMs + SCAN_MS;
}

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
  // Where only an operator can go on, nothing happens any more.
  await scheduler.runUntilDone(() => isOver() || oracle.facts.stuckMs > STUCK_MS, plan.faultyMs);
  if (!isOver()) {
    world.heal();
    disk.heal();
    machine.heal();
    oracle.facts.healedAt = scheduler.now;
    // A machine that sleeps over the end of the faults promises nothing before it wakes.
    const calmFrom = Math.max(scheduler.now, oracle.facts.awakeSince);
    config.workload.endAt(world.venueNow() + (calmFrom - scheduler.now) + plan.calmMs - QUIET_MS);
    const live = Math.min(plan.calmMs, liveMs(plan));
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
