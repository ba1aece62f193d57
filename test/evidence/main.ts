/** `npm run evidence`: measures what docs/evidence.md says. See options.ts for how it is called. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { UsageError } from '../../src/model/errors.js';
import { serveRuns } from '../simulation/pool.js';
import { BROKEN, checkSample, publish } from './publish.js';
import { type Evidence, type SimulationName, SIMULATIONS } from './evidence.js';
import type { KillResult } from './kills/result.js';
import { endOnSignals } from './kills/child.js';
import { copyOfProgram, repository } from './kills/scene.js';
import { type EvidenceOptions, optionsOf, type Part, USAGE } from './options.js';
import { type JournalCounts, journalTorture } from './parts/journal.js';
import { killFigures, killMany } from './parts/kills.js';
import { equality, sample } from './parts/sameness.js';
import { figuresOf, simulate, type StoredRun } from './parts/simulation.js';
import { type Commit, currentCommit, type SourceName, sourceHash } from './sources.js';
import { Store } from './store.js';

const HOURS = 24;
const FLIPS = 100_000;
/** Simulated days, and part of the time, of what is not the normal mode. */
const SIDE_DAYS: Readonly<Record<Exclude<SimulationName, 'normal'>, number>> = {
  'A1-broken': 100,
  'A2-broken': 100,
  'blind-retry': 40,
  'timeout-failed': 40,
  'look-and-resend': 40,
};
const SHARES: Readonly<Record<SimulationName | 'kills', number>> = {
  'blind-retry': 0.02,
  'timeout-failed': 0.02,
  'look-and-resend': 0.02,
  'A1-broken': 0.07,
  'A2-broken': 0.07,
  kills: 0.25,
  normal: 0.55,
};
const MINUTE_MS = 60_000;

async function main(): Promise<number> {
  const options = optionsOf();
  if (typeof options === 'string') {
    process.stderr.write(`error: ${options}\n${USAGE}`);
    return 2;
  }
  endOnSignals();
  process.chdir(repository());
  if (options.check) return checkSample((runs) => sample(options.threads, runs));
  try {
    return await new Measurement(options, currentCommit()).run();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    return 2;
  }
}

class Measurement {
  readonly #options: EvidenceOptions;
  readonly #commit: Commit;
  readonly #stores = new Map<string, Store<unknown>>();
  readonly #hashes = new Map<SourceName, string>();

  constructor(options: EvidenceOptions, commit: Commit) {
    this.#options = options;
    this.#commit = commit;
  }

  /** Publishes after each part, so that nothing is lost with an interruption. Returns the exit code. */
  async run(): Promise<number> {
    const measured: Partial<Evidence>[] = [];
    let code = 0;
    for (const part of [
      () => this.#sameness(),
      () => this.#journal(),
      // The long one last: what is interrupted has something of each.
      () => this.#simulations(SIMULATIONS.filter((name) => name !== 'normal').toReversed()),
      () => this.#kills(),
      () => this.#simulations(SIMULATIONS),
    ]) {
      measured.push(await part());
      code = publish(Object.assign({}, ...measured) as Partial<Evidence>, this.#commit);
    }
    return code;
  }

  async #sameness(): Promise<Partial<Evidence>> {
    const { threads } = this.#options;
    const provenance = { source: await this.#source('simulation'), commits: [this.#commit.id] };
    const runs = this.#wants('sample') ? await sample(threads) : undefined;
    if (runs !== undefined) say(`sample: ${runs.length} traces`);
    const equal = this.#wants('equality') ? await equality(threads) : undefined;
    if (equal !== undefined) say(`equality: ${equal.equal} of ${equal.seeds} traces equal the second time`);
    return {
      ...(runs === undefined ? {} : { sample: { ...provenance, runs } }),
      ...(equal === undefined ? {} : { equality: { ...provenance, ...equal } }),
    };
  }

  async #journal(): Promise<Partial<Evidence>> {
    const store = await this.#store<JournalCounts>('journal', 'journal');
    if (this.#wants('journal') && store.results.length === 0) {
      store.add(await journalTorture(FLIPS));
      say('journal: cut and flipped');
    }
    const counts = store.results.at(-1);
    if (counts === undefined || !this.#wants('journal', 'report')) return {};
    return { journal: { source: await this.#source('journal'), commits: store.commits, counts } };
  }

  async #simulations(names: readonly SimulationName[]): Promise<Partial<Evidence>> {
    const { days, threads } = this.#options;
    const runs: Partial<Record<SimulationName, ReturnType<typeof figuresOf>>> = {};
    const commits = new Set<string>();
    for (const name of names) {
      const store = await this.#store<StoredRun>(name, 'simulation');
      const part = name === 'normal' ? 'normal' : BROKEN.has(name) ? 'broken' : 'baselines';
      if (this.#wants(part)) {
        const tell = progress(name, 'days');
        await simulate({
          name,
          store,
          days: name === 'normal' ? days : SIDE_DAYS[name],
          hours: HOURS,
          threads,
          isOver: this.#deadline(name),
          onRun: tell,
        });
      }
      if (store.results.length === 0) continue;
      runs[name] = figuresOf(store.results, HOURS);
      for (const commit of store.commits) commits.add(commit);
    }
    if (Object.keys(runs).length === 0 || !this.#wants('baselines', 'broken', 'normal', 'report')) return {};
    return { simulation: { source: await this.#source('simulation'), commits: [...commits], runs } };
  }

  async #kills(): Promise<Partial<Evidence>> {
    const { kills, threads } = this.#options;
    const source = await this.#source('kills');
    const store = await this.#store<KillResult>('kills', 'kills');
    if (this.#wants('kills')) {
      const folder = join(repository(), 'var', 'evidence', 'processes');
      await killMany({
        store,
        kills,
        lanes: threads,
        program: copyOfProgram(join(folder, 'program')),
        folder,
        isOver: this.#deadline('kills'),
        onRun: progress('kills', 'kills'),
      });
    }
    if (store.results.length === 0 || !this.#wants('kills', 'report')) return {};
    return { kills: { source, commits: store.commits, ...killFigures(store.results) } };
  }

  #wants(...parts: readonly Part[]): boolean {
    return parts.some((part) => this.#options.parts.includes(part));
  }

  /** A part alone gets all the time. */
  #deadline(name: SimulationName | 'kills'): () => boolean {
    const { minutes, parts } = this.#options;
    const names = (Object.keys(SHARES) as (keyof typeof SHARES)[]).filter((each) => {
      if (each === 'kills' || each === 'normal') return parts.includes(each);
      return parts.includes(BROKEN.has(each) ? 'broken' : 'baselines');
    });
    const all = names.reduce((sum, each) => sum + SHARES[each], 0);
    const until = performance.now() + (minutes * MINUTE_MS * SHARES[name]) / all;
    return () => performance.now() >= until;
  }

  async #store<T>(name: string, source: SourceName): Promise<Store<T>> {
    const { resume, fresh } = this.#options;
    const path = join('var', 'evidence', `${name}-${await this.#source(source)}.ndjson`);
    if (resume && this.#wants(partOf(name)) && !existsSync(path)) {
      throw new UsageError(
        'TICKWRIGHT_E_EVIDENCE',
        `--resume must be of code that was measured before, received ${name} without ${path}`,
      );
    }
    const known = this.#stores.get(name) as Store<T> | undefined;
    if (known !== undefined) return known;
    const store = new Store<T>(path, this.#commit.id);
    if (fresh && this.#wants(partOf(name))) store.clear();
    this.#stores.set(name, store);
    return store;
  }

  async #source(name: SourceName): Promise<string> {
    const known = this.#hashes.get(name) ?? (await sourceHash(name));
    this.#hashes.set(name, known);
    return known;
  }
}

function partOf(name: string): Part {
  if (name === 'journal' || name === 'kills' || name === 'normal') return name;
  return BROKEN.has(name) ? 'broken' : 'baselines';
}

/** Says how far it is, now and then. */
function progress(name: string, unit: string): (done: number) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (done) => {
    if (performance.now() - saidAt < MINUTE_MS / 2) return;
    saidAt = performance.now();
    say(`${name}: ${done.toFixed(1)} ${unit}`);
  };
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

// Failures are what a run is made of; where they come from nobody asks, and finding it out is dear.
Error.stackTraceLimit = 0;
if (isMainThread) process.exitCode = await main();
else serveRuns();
