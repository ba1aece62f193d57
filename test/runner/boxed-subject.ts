/** The live session of the program in a recorder, as a program of the simulated world. */
import { createVenueClient } from '../../src/client/client.js';
import { Books } from '../../src/execution/books.js';
import type { BooksState } from '../../src/execution/books-state.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import { NO_LOTS } from '../../src/model/grid.js';
import { SILENT } from '../../src/ports/log.js';
import { Recorder } from '../../src/runner/black-box/recorder.js';
import { type RecordedPart, type Replay, replay } from '../../src/runner/black-box/replay.js';
import { type BoxedPlan, sessionIn } from '../../src/runner/black-box/session-in-box.js';
import type { Turn } from '../../src/runner/black-box/turn.js';
import { openChronicle } from '../../src/runner/open-chronicle.js';
import type {
  Claim,
  RunningSubject,
  Subject,
  SubjectConfig,
  SubjectPorts,
} from '../../src/simulation/subject.js';
import { workloadStrategy } from '../../src/simulation/workload-strategy.js';
import { isKilled } from '../../src/simulation/world/killed.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { drain } from '../simulation/drain.js';

/** What is left of one life. */
export interface RecordedLife {
  readonly plan: BoxedPlan;
  readonly turns: Turn[];
  readonly strays: Error[];
  /** What the journal said when it began. */
  books: BooksState | undefined;
  doubts: () => number;
}

export function boxedSubject(lives: RecordedLife[]): Subject {
  return {
    name: 'boxed',
    promises: new Set(),
    survivesCrashes: true,
    start: (ports, config) => boxedLife(ports, config, lives),
  };
}

function boxedLife(ports: SubjectPorts, config: SubjectConfig, lives: RecordedLife[]): RunningSubject {
  const life: RecordedLife = {
    plan: planOf(config),
    turns: [],
    strays: [],
    books: undefined,
    doubts: () => 0,
  };
  lives.push(life);
  const box = new Recorder({
    ...ports,
    onTurn: (turn) => life.turns.push(turn),
    onStray: (error) => life.strays.push(error),
  });
  const claim: Claim = { pair: config.market.pair, state: 'BOOT', position: NO_LOTS };
  const running = {
    claims: () => [claim],
    bound: () => new Map<string, string>(),
    intentOf: () => undefined,
    judged: new Map(),
    judgements: 0,
    doubts: 0,
    isHalted: false,
    hasEnded: false,
  };
  run().catch((error: unknown) => {
    if (!isKilled(error)) running.hasEnded = true;
  });
  return running;

  async function run(): Promise<void> {
    const { files, timers, clock } = ports;
    const directory = `${config.directory}/journal`;
    const { session } = config;
    const story = await openChronicle({
      files,
      timers,
      clock,
      directory,
      session,
      log: SILENT,
      engine: 'simulated',
      hashes: {},
      wrap: (journal) => box.journal(journal),
    });
    life.books = structuredClone(story.chronicle.books.state());
    const { baseUrl, profile, credentials } = config;
    const live = sessionIn(
      box,
      {
        chronicle: story.chronicle,
        log: SILENT,
        clientOn: (parts) => createVenueClient({ ...parts, baseUrl, profile, credentials }),
      },
      life.plan,
    );

    const bot = await box.start(() => live.start(() => box.observer));
    try {
      await bot.failed;
    } finally {
      await box.command({ kind: 'stop', deadlineMs: 10_000 }, () => live.stop(10_000));
      await box.finish();
      await story.close();
    }
  }
}

function planOf({
  session,
  profile,
  market,
  workload,
  maxPosition,
  seed,
  pollMs,
  baseUrl,
  staleMs,
  bounds,
}: SubjectConfig): BoxedPlan {
  return {
    session,
    profile,
    market,
    strategy: bindStrategy(workloadStrategy(workload, market)),
    limits: { ...NO_LIMITS, maxPosition, maxOpenOrders: 10, maxOrdersPerMinute: 60, maxDailyLoss: 1_000_000 },
    onDoubt: undefined,
    baseline: undefined,
    reserves: [],
    readsTransfers: true,
    recountsCash: true,
    seed,
    every: { trades: pollMs, ticker: 2 * pollMs, position: 4 * pollMs, orders: pollMs },
    warmUpMs: 60_000,
    policy: {
      firstStart: 'adopt',
      external: 'quarantine',
      onQuarantine: 'watch',
      staleMs,
      lateMs: bounds.lateMs,
    },
    url: baseUrl,
    clientSeed: `${seed}/${session}/client`,
  };
}

export function replayLife(
  life: RecordedLife,
  turns: readonly Turn[] = life.turns,
  until?: number,
): Promise<Replay> {
  const parts = turns.map((turn): RecordedPart => ({ kind: 'turn', turn, where: `turn ${turn.number}` }));
  const books = life.books ?? new Books().state();
  return replay({ plan: life.plan, books, parts, drain, until });
}
