import { createVenueClient } from '../client/client.js';
import type { Chronicle } from '../execution/chronicle.js';
import type { DayBaseline } from '../gate/daily-loss.js';
import { type Limits, NO_LIMITS } from '../gate/limits.js';
import { sha256 } from '../model/digest.js';
import { type Lots, NO_LOTS } from '../model/grid.js';
import type { HaltLevel, JournalRecord } from '../model/journal-record.js';
import { seededRandom } from '../model/random.js';
import { type RunningBot, startBot } from '../runner/bot.js';
import { historyOf } from '../runner/history.js';
import { LedgerWatch } from '../runner/ledger-watch.js';
import { type LiveGateway, liveGateway } from '../runner/live-gateway.js';
import { openChronicle } from '../runner/open-chronicle.js';
import { bindStrategy } from '../strategy/instance.js';
import { ALL_INVARIANTS } from './invariant.js';
import type { Claim, Judgement, RunningSubject, Subject, SubjectConfig, SubjectPorts } from './subject.js';
import { workloadStrategy } from './workload-strategy.js';
import { isKilled } from './world/killed.js';

const WARM_UP_MS = 60_000;
const STOP_MS = 10_000;
/** The workload does not depend on these, so they are polled less often. */
const TICKER_POLLS = 2;
const POSITION_POLLS = 4;
const MOST_OPEN_ORDERS = 10;
const ORDERS_PER_MINUTE = 60;

const LEDGER_MS = 60_000;
/** Small, so that most lives begin with a snapshot. */
const SNAPSHOT_EVERY = 200;

const NOTHING_BOUND: ReadonlyMap<string, string> = new Map();

/** The real program: what `tickwright run` assembles, on the ports of a simulated machine. */
class Runner implements RunningSubject {
  readonly judged = new Map<string, Judgement>();
  judgements = 0;
  hasEnded = false;
  readonly #ports: SubjectPorts;
  readonly #config: SubjectConfig;
  readonly #wantsStops: boolean;
  readonly #intents = new Map<string, string>();
  #chronicle: Chronicle | undefined;
  #gateway: LiveGateway | undefined;
  #bot: RunningBot | undefined;

  constructor(ports: SubjectPorts, config: SubjectConfig, wantsStops: boolean) {
    this.#ports = ports;
    this.#config = config;
    this.#wantsStops = wantsStops;
  }

  claims(): readonly Claim[] {
    const { pair } = this.#config.market;
    const books = this.#chronicle?.books;
    // The engine trades once it is live; until then only the books know the position.
    const core = this.#bot?.core;
    const held = core?.isLive === true ? core.engine.position.lots : books?.position(pair);
    const position = held ?? NO_LOTS;
    const execution = this.#gateway?.execution;
    if (execution !== undefined) {
      const { state, reason } = execution.state();
      const booked = books?.position(pair);
      return [{ pair, state, reason, position, booked, cut: execution.agreed }];
    }
    return [{ pair, state: books?.quarantine(pair) === undefined ? 'BOOT' : 'QUARANTINED', position }];
  }

  bound(): ReadonlyMap<string, string> {
    return this.#chronicle?.books.bound ?? NOTHING_BOUND;
  }

  intentOf(body: string): string | undefined {
    return this.#intents.get(sha256(body));
  }

  get doubts(): number {
    return this.#gateway?.execution.stats.doubts ?? 0;
  }

  get isHalted(): boolean {
    return this.#chronicle?.books.halt !== undefined;
  }

  halt(level: HaltLevel): void {
    try {
      this.#gateway?.execution.halt(level, 'the operator says so', 'operator');
    } catch (error) {
      // Either the process died in this call, or the halt could not be written, which the operator is told.
      if (!isKilled(error)) this.#ports.log.error('not halted', { error: String(error) });
    }
  }

  async run(): Promise<void> {
    const { clock, timers, files, transport, log, processes } = this.#ports;
    const { market, profile, session, maxPosition, pollMs, workload, staleMs, bounds, seed } = this.#config;
    const api = createVenueClient({
      baseUrl: this.#config.baseUrl,
      profile,
      credentials: this.#config.credentials,
      transport,
      clock,
      timers,
      random: seededRandom(`${seed}/${session}/client`),
      log,
    });
    const story = await openChronicle({
      files,
      timers,
      clock,
      log,
      directory: `${this.#config.directory}/journal`,
      session,
      engine: 'simulated',
      hashes: {},
      processes,
      snapshotEvery: SNAPSHOT_EVERY,
      onRecord: (record) => this.#hear(record),
    });
    const { chronicle } = story;
    this.#chronicle = chronicle;
    for (const { key, stage } of chronicle.books.intents(market.pair))
      if (stage === 'not-placed') this.#judge(key, stage);
    const ledger = new LedgerWatch({
      api,
      market,
      timers,
      log,
      books: chronicle.books,
      isSynced: () => this.#gateway?.execution.state().state === 'SYNCED',
      everyMs: LEDGER_MS,
      limit: profile.maxLimit,
      maxSuspense: 0n,
      onReason: () => this.#gateway?.stopsChanged(),
    });
    chronicle.hear((record) => ledger.hear(record));
    const balances = await api.balances();
    const balance = balances.find(({ asset }) => asset === market.quote);
    const limits: Limits = {
      ...NO_LIMITS,
      maxPosition,
      maxOrderQuantity: (2 * maxPosition) as Lots,
      maxOpenOrders: MOST_OPEN_ORDERS,
      maxOrdersPerMinute: ORDERS_PER_MINUTE,
    };
    const bot = await startBot(
      { clock, timers, log },
      {
        api,
        profile,
        market,
        strategy: bindStrategy(workloadStrategy(workload, market, { stops: this.#wantsStops })),
        limits,
        seed,
        every: { trades: pollMs, ticker: TICKER_POLLS * pollMs, position: POSITION_POLLS * pollMs },
        warmUpMs: WARM_UP_MS,
        funds: balance && balance.free + balance.margin,
        begin: () => {
          ledger.start();
          return Promise.resolve({
            ...historyOf(chronicle, market.pair, api.clock.now()),
            observer: {
              baseline: (baseline: DayBaseline) =>
                chronicle.note({ kind: 'baseline', ...baseline, wall: clock.wall() }, 'durable'),
            },
          });
        },
        gateway: (data) => {
          this.#gateway = liveGateway({
            api,
            profile,
            market,
            clock,
            timers,
            log,
            session,
            watchEveryMs: pollMs,
            limits,
            chronicle,
            firstStart: 'adopt',
            external: 'quarantine',
            onQuarantine: 'watch',
            data,
            stops: [() => ledger.reason()],
            staleMs,
            lateMs: bounds.lateMs,
          });
          return this.#gateway;
        },
      },
    );
    this.#bot = bot;
    try {
      await bot.failed;
    } finally {
      ledger.stop();
      await bot.stop(STOP_MS);
      await story.close();
    }
  }

  #judge(intent: string, judgement: Judgement): void {
    this.judged.set(intent, judgement);
    this.judgements++;
  }

  #hear(record: JournalRecord): void {
    switch (record.kind) {
      case 'prep':
        this.#intents.set(record.bodySha256, record.intent);
        return;
      case 'adopt':
        if (record.as === 'own') this.#judge(record.intent, 'adopted');
        return;
      case 'verdict':
        this.#judge(record.intent, record.verdict);
        return;
      case 'out':
        if (record.outcome === 'refused' || record.outcome === 'not-sent')
          this.#judge(record.intent, 'refused');
        return;
      default:
    }
  }
}

function runnerNamed(name: string, wantsStops: boolean): Subject {
  return {
    name,
    promises: ALL_INVARIANTS,
    survivesCrashes: true,
    start(ports, config) {
      const runner = new Runner(ports, config, wantsStops);
      runner.run().catch((error: unknown) => {
        if (isKilled(error)) return;
        ports.log.error('the program ends', { error: String(error) });
        // A supervisor does not restart a program that needs an operator.
        runner.hasEnded = (error as { readonly code?: unknown }).code !== 'TICKWRIGHT_E_QUARANTINED';
      });
      return runner;
    },
  };
}

export const RUNNER: Subject = runnerNamed('runner', false);

/** The same program with a strategy that wants its positions with a stop. */
export const RUNNER_WITH_STOPS: Subject = runnerNamed('stops', true);
