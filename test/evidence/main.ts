/** `npm run evidence`: measures what docs/evidence.md says. See options.ts for how it is called. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { UsageError } from '../../src/model/errors.js';
import { serveRuns } from '../simulation/pool.js';
import { BROKEN, checkSample, publish, published } from './publish.js';
import {
  type Evidence,
  type Sample,
  type SimulationFigures,
  type SimulationName,
  SIMULATIONS,
} from './evidence.js';
import type { KillResult } from './kills/result.js';
import { endOnSignals } from './kills/child.js';
import { copyOfProgram, repository } from './kills/scene.js';
import { type EvidenceOptions, optionsOf, type Part, PARTS, USAGE } from './options.js';
import { type JournalCounts, journalTorture } from './parts/journal.js';
import { countedBefore, nextSeed } from './parts/before.js';
import { carriedIn, carryOver, LEAST_BOTH } from './parts/carried.js';
import { killFigures, killMany } from './parts/kills.js';
import { equality, sample, sampleDigest } from './parts/sameness.js';
import { recordedSession } from './parts/session.js';
import { daysOf, type FailedRun, figuresOf, runsOf, simulate, type StoredRun } from './parts/simulation.js';
import type { RecordedSessionResult } from './recorded-session.js';
import { type Commit, currentCommit, type SourceName, sourceHash } from './sources.js';
import { Store, storedSources } from './store.js';

const HOURS = 24;
const FOLDER = join('var', 'evidence');
const FLIPS = 100_000;
/** Simulated days, and part of the time, of what is not the normal mode. */
const SIDE_DAYS: Readonly<Record<Exclude<SimulationName, 'normal'>, number>> = {
  stops: 100,
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
  stops: 0.05,
  'A1-broken': 0.05,
  'A2-broken': 0.05,
  kills: 0.2,
  normal: 0.59,
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
      () => this.#session(),
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
    const provenance = { source: await this.#source('runner'), commits: [this.#commit.id] };
    const runs = this.#wants('sample') ? await this.#sample() : undefined;
    const equal = this.#wants('equality') ? await equality(threads) : undefined;
    if (equal !== undefined) say(`equality: ${equal.equal} of ${equal.seeds} traces equal the second time`);
    return {
      ...(runs === undefined ? {} : { sample: { ...provenance, runs } }),
      ...(equal === undefined ? {} : { equality: { ...provenance, ...equal } }),
    };
  }

  async #journal(): Promise<Partial<Evidence>> {
    if (!this.#wants('journal', 'report')) return {};
    const store = await this.#store<JournalCounts>('journal', 'journal');
    if (this.#wants('journal') && store.results.length === 0) {
      store.add(await journalTorture(FLIPS));
      say('journal: cut and flipped');
    }
    const counts = store.results.at(-1);
    if (counts === undefined) return {};
    return { journal: { source: await this.#source('journal'), commits: store.commits, counts } };
  }

  /** Taken once for each code. */
  async #sample(): Promise<readonly Sample[]> {
    const store = new Store<readonly Sample[]>(await this.#path('sample', 'runner'), this.#commit.id);
    if (store.results.length === 0) store.add(await sample(this.#options.threads));
    const runs = store.results.at(-1) ?? [];
    say(`sample: ${runs.length} traces`);
    return runs;
  }

  async #simulations(names: readonly SimulationName[]): Promise<Partial<Evidence>> {
    if (!names.some((name) => this.#wants(partOf(name), 'report'))) return {};
    const { days, threads } = this.#options;
    const runs: Partial<Record<SimulationName, SimulationFigures>> = {};
    let before: readonly SimulationFigures[] = [];
    for (const name of names) {
      const store = await this.#store<StoredRun | FailedRun>(name, sourceOf(name));
      const climate = name === 'normal' ? 'mixed' : 'storm';
      if (this.#wants(partOf(name))) {
        // So that what it comes to can be told of other code that does the same.
        if (sourceOf(name) === 'runner') await this.#sample();
        const counts = name === 'normal' && !this.#options.fresh;
        const counted = counts ? await this.#before(await this.#source('runner')) : [];
        const firstSeed = nextSeed(counted);
        const had = counted.reduce((sum, row) => sum + row.days, 0);
        const work = {
          name,
          store,
          days: name === 'normal' ? days - had : SIDE_DAYS[name],
          firstSeed,
          hours: HOURS,
          climate,
          threads,
          isOver: this.#deadline(name),
          onTrouble: (what: string) => say(`${name}: ${what}`),
        } as const;
        const onRun = () => progress(name, 'days', daysOf(runsOf(store)), had);
        if (name === 'normal') {
          const earlier = await this.#alike(name);
          if (earlier.length > 0)
            await simulate({ ...work, onRun: onRun(), lastSeed: firstSeed + LEAST_BOTH - 1 });
          for (const source of earlier) {
            const runs = carryOver(store, this.#stored(name, source), source);
            if (typeof runs === 'string') say(`${name}: nothing of code ${source} counts: ${runs}`);
            else if (runs > 0) say(`${name}: ${runs} runs of code ${source}, which does the same`);
          }
        }
        await simulate({ ...work, onRun: onRun() });
      }
      const best = this.#wants('report') ? await this.#best(name, store) : { store, source: undefined };
      const carried = carriedIn(best.store, (each) => this.#stored(name, each));
      if (best.store.results.length === 0) continue;
      const source = best.source ?? (await this.#source(sourceOf(name)));
      if (name === 'normal' && !this.#options.fresh) before = await this.#before(source);
      const firstSeed = name === 'normal' ? nextSeed(before) : 1;
      runs[name] = {
        ...figuresOf(best.store, { hours: HOURS, climate }, firstSeed),
        source,
        commits: best.store.commits,
        sample: sampleOf(source),
        ...(carried.length === 0 ? {} : { carried }),
      };
    }
    return Object.keys(runs).length === 0 ? {} : { simulation: { before, runs } };
  }

  /** Other codes that do in the sample what the present one does. */
  async #alike(name: SimulationName): Promise<readonly string[]> {
    const own = await this.#source('runner');
    const present = sampleOf(own);
    if (present === undefined) return [];
    return storedSources(FOLDER, name).filter((source) => source !== own && sampleOf(source) === present);
  }

  /** What the page has and what counts beside the results of this code, none of whose seeds are at hand of it or of its like. */
  async #before(source: string): Promise<readonly SimulationFigures[]> {
    const sampled = sampleOf(source);
    const alike = storedSources(FOLDER, 'normal').filter(
      (each) => each === source || (sampled !== undefined && sampleOf(each) === sampled),
    );
    const seeds = alike.flatMap((each) => this.#stored('normal', each).results.map(({ seed }) => seed));
    return countedBefore(
      published()?.simulation,
      sampled,
      seeds.length === 0 ? undefined : Math.min(...seeds),
    );
  }

  #stored(name: SimulationName, source: string): Store<StoredRun | FailedRun> {
    return new Store(join(FOLDER, `${name}-${source}.ndjson`), this.#commit.id);
  }

  /** Of all codes that there are results of: those that do in the sample what the present one does, then most days. */
  async #best(
    name: SimulationName,
    own: Store<StoredRun | FailedRun>,
  ): Promise<{ readonly store: Store<StoredRun | FailedRun>; readonly source: string | undefined }> {
    const present = sampleOf(await this.#source('runner'));
    const rank = (store: Store<StoredRun | FailedRun>, sampled: string | undefined) =>
      daysOf(runsOf(store)) + (present !== undefined && sampled === present ? 1e9 : 0);
    let best: { readonly store: Store<StoredRun | FailedRun>; readonly source: string | undefined } = {
      store: own,
      source: undefined,
    };
    let highest = rank(own, present);
    if (own.results.length === 0) highest = -1;
    for (const source of storedSources(FOLDER, name)) {
      const store = this.#stored(name, source);
      const height = rank(store, sampleOf(source));
      if (height <= highest) continue;
      highest = height;
      best = { store, source };
    }
    return best;
  }

  async #session(): Promise<Partial<Evidence>> {
    if (!this.#wants('session', 'report')) return {};
    const store = await this.#store<RecordedSessionResult>('session', 'kills');
    if (this.#wants('session') && store.results.length === 0) {
      const folder = join(repository(), FOLDER, 'processes');
      const program = copyOfProgram(join(folder, 'session-program'));
      say('session: ten minutes by the clock');
      store.add(await recordedSession(program, join(folder, 'session')));
    }
    const counts = store.results.at(-1);
    if (counts === undefined) return {};
    return { session: { source: await this.#source('kills'), commits: store.commits, counts } };
  }

  async #kills(): Promise<Partial<Evidence>> {
    if (!this.#wants('kills', 'report')) return {};
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
        onRun: progress(
          'kills',
          'kills',
          store.results.reduce((sum, run) => sum + run.kills, 0),
        ),
      });
    }
    if (store.results.length === 0) return {};
    return { kills: { source, commits: store.commits, ...killFigures(store.results) } };
  }

  #wants(...parts: readonly Part[]): boolean {
    return parts.some((part) => this.#options.parts.includes(part));
  }

  /** A part alone gets all the time. */
  #deadline(name: SimulationName | 'kills'): () => boolean {
    const { minutes, parts } = this.#options;
    const names = (Object.keys(SHARES) as (keyof typeof SHARES)[]).filter((each) => {
      return parts.includes(partOf(each));
    });
    const all = names.reduce((sum, each) => sum + SHARES[each], 0);
    const until = performance.now() + (minutes * MINUTE_MS * SHARES[name]) / all;
    return () => performance.now() >= until;
  }

  async #store<T>(name: string, source: SourceName): Promise<Store<T>> {
    const { resume, fresh } = this.#options;
    const path = await this.#path(name, source);
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

  async #path(name: string, source: SourceName): Promise<string> {
    return join(FOLDER, `${name}-${await this.#source(source)}.ndjson`);
  }

  async #source(name: SourceName): Promise<string> {
    const known = this.#hashes.get(name) ?? (await sourceHash(name));
    this.#hashes.set(name, known);
    return known;
  }
}

function partOf(name: string): Part {
  const own = PARTS.find((part) => part === name);
  return own ?? (BROKEN.has(name) ? 'broken' : 'baselines');
}

function sourceOf(name: SimulationName): SourceName {
  return name === 'normal' || name === 'stops' || BROKEN.has(name) ? 'runner' : 'baselines';
}

/** What the sample of this code came to, where it was taken. */
function sampleOf(source: string): string | undefined {
  const path = join(FOLDER, `sample-${source}.ndjson`);
  if (!existsSync(path)) return undefined;
  const runs = new Store<readonly Sample[]>(path, '').results.at(-1);
  return runs === undefined ? undefined : sampleDigest(runs);
}

/** Says how far it is, now and then, and how fast it goes. */
function progress(name: string, unit: string, before: number, elsewhere = 0): (done: number) => void {
  const startedAt = performance.now();
  let saidAt = startedAt;
  return (done) => {
    const now = performance.now();
    if (now - saidAt < MINUTE_MS / 2) return;
    saidAt = now;
    const perMinute = ((done - before) / (now - startedAt)) * MINUTE_MS;
    say(`${name}: ${(elsewhere + done).toFixed(1)} ${unit}, ${perMinute.toFixed(1)} a minute`);
  };
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

// Failures are what a run is made of; where they come from nobody asks, and finding it out is dear.
Error.stackTraceLimit = 0;
if (isMainThread) process.exitCode = await main();
else serveRuns();
