/**
 * `npm run sim -- --seed N [--subject runner] [--hours H] …`: runs seeds on virtual time, prints what became of them.
 * Exit code 0 when no promise was broken, 1 when one was, 2 when it was called in a wrong way.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { parseArgs } from 'node:util';
import type { RunResult } from '../../src/simulation/run-plan.js';
import { runSeed } from '../../src/simulation/run-seed.js';
import { shrink, type SimulationCase } from '../../src/simulation/shrink.js';
import { ALL_INVARIANTS } from '../../src/simulation/invariant.js';
import type { InvariantName } from '../../src/simulation/invariant-name.js';
import { SUBJECTS } from '../../src/simulation/subjects.js';
import { swarm } from '../../src/simulation/swarm.js';
import { THEMES } from '../../src/simulation/theme.js';
import { totalsOf } from '../../src/simulation/totals.js';
import { drain } from './drain.js';
import { type PoolTerms, runAll, serveRuns, subjectOf } from './pool.js';
import { runText, totalsText, traceText } from './report-text.js';

const USAGE = `usage: npm run sim -- --seed N [options]

  --seed N        the first seed; default 1
  --runs N        as many seeds from there on; default 1
  --minutes M     begins no seed later than this; default: all of --runs, or with M as many as fit
  --subject NAME  ${[...SUBJECTS.keys()].join(', ')}
  --hours H       of the faulty phase; default 24
  --mode MODE     normal, A1-broken or A2-broken; default normal
  --theme NAME    ${THEMES.join(', ')}; default: some seeds draw one
  --climate NAME  storm, or mixed as in the evidence: most days calm; default storm
  --promise NAME  holds the subject to an invariant that it does not promise, I1 to I11
  --twice         run each seed twice and compare the traces
  --trace         print everything that happens
  --shrink        make a case of the first violation, in test/simulation/corpus
  --threads N     default: one for each core, when there are several seeds
`;

/** More than fit into any time that somebody waits. */
const MOST_RUNS = 100_000;

interface Options extends PoolTerms {
  readonly seed: number;
  readonly runs: number;
  readonly minutes: number | undefined;
  readonly twice: boolean;
  readonly trace: boolean;
  readonly shrink: boolean;
}

// Failures are what a run is made of; where they come from nobody asks, and finding it out is dear.
if (!process.argv.includes('--trace')) Error.stackTraceLimit = 0;
if (isMainThread) process.exitCode = await main();
else serveRuns();

async function main(): Promise<number> {
  const options = optionsOf();
  if (typeof options === 'string') {
    process.stderr.write(`error: ${options}\n${USAGE}`);
    return 2;
  }
  const { subject } = options;
  const started = performance.now();
  const seeds = Array.from({ length: options.runs }, (_, index) => options.seed + index);
  const print = (run: RunResult) => process.stdout.write(`${runText(run)}\n`);
  let results: readonly RunResult[];
  if (options.trace || options.threads === 1) results = await inTurn(options, seeds, print);
  else results = await runAll(options, seeds, print, inTime(options, started));

  const seconds = (performance.now() - started) / 1_000;
  const totals = totalsOf(subject, results);
  process.stdout.write(`${totalsText(totals)}\n`);
  const perMinute = (totals.days / seconds) * 60;
  process.stdout.write(`  ${seconds.toFixed(1)} s, ${perMinute.toFixed(1)} days a minute\n`);

  if (options.twice && !(await isSame(options, results))) return 1;
  const failed = results.find(({ violations }) => violations.length > 0);
  if (failed !== undefined && options.shrink) await keepCase(options, failed.seed);
  return failed === undefined ? 0 : 1;
}

async function inTurn(
  options: Options,
  seeds: readonly number[],
  print: (run: RunResult) => void,
): Promise<readonly RunResult[]> {
  const results: RunResult[] = [];
  const goesOn = inTime(options, performance.now());
  for (const seed of seeds) {
    if (!goesOn()) break;
    const { hours, mode, theme, climate, trace } = options;
    const run = await runSeed(seed, {
      subject: subjectOf(options),
      drain,
      hours,
      mode,
      theme,
      climate,
      ...(trace ? { onTrace: (line) => void process.stdout.write(`${traceText(line)}\n`) } : {}),
    });
    print(run);
    results.push(run);
  }
  return results;
}

function inTime({ minutes }: Options, started: number): () => boolean {
  return () => minutes === undefined || performance.now() - started < minutes * 60_000;
}

async function isSame(options: Options, results: readonly RunResult[]): Promise<boolean> {
  const seeds = results.map(({ seed }) => seed);
  const again = await runAll(options, seeds, () => undefined);
  const hashes = new Map(again.map(({ seed, traceHash }) => [seed, traceHash]));
  const different = results.filter(({ seed, traceHash }) => hashes.get(seed) !== traceHash);
  for (const { seed } of different) process.stdout.write(`seed ${seed}: another trace the second time\n`);
  if (different.length === 0) process.stdout.write(`  all ${results.length} traces equal the second time\n`);
  return different.length === 0;
}

async function keepCase(options: Options, seed: number): Promise<void> {
  const { subject, promise, hours, mode, theme, climate } = options;
  const found = await shrink(swarm(seed, { hours, mode, theme, climate }), {
    subject: subjectOf(options),
    drain,
  });
  if (found === undefined) return;
  const { plan, violation, runs, left } = found;
  const { invariant, what } = violation;
  const kept: SimulationCase = { subject, invariant, what, expect: promise ?? 'holds', plan };
  const folder = join('test', 'simulation', 'corpus');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${subject}-${invariant.toLowerCase()}-seed-${seed}.json`);
  writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`);
  process.stdout.write(`shrunk to ${left} faults in ${runs} runs: ${path}\n`);
}

/** Or what is wrong with them. */
function optionsOf(): Options | string {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        runs: { type: 'string' },
        minutes: { type: 'string' },
        subject: { type: 'string', default: [...SUBJECTS.keys()][0] ?? '' },
        hours: { type: 'string', default: '24' },
        mode: { type: 'string', default: 'normal' },
        theme: { type: 'string' },
        climate: { type: 'string', default: 'storm' },
        twice: { type: 'boolean', default: false },
        trace: { type: 'boolean', default: false },
        shrink: { type: 'boolean', default: false },
        promise: { type: 'string' },
        threads: { type: 'string' },
      },
    });
    const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
    const runs = Number(values.runs ?? (minutes === undefined ? 1 : MOST_RUNS));
    const [seed, hours] = [Number(values.seed), Number(values.hours)];
    const threads = Number(values.threads ?? Math.min(availableParallelism(), runs));
    if (!Number.isSafeInteger(seed)) return `--seed must be a whole number, received ${values.seed}`;
    if (!(Number.isSafeInteger(runs) && runs > 0))
      return `--runs must be at least 1, received ${values.runs}`;
    if (minutes !== undefined && !(minutes > 0))
      return `--minutes must be above 0, received ${values.minutes}`;
    if (!(hours > 0 && hours <= 2_400)) return `--hours must be above 0, received ${values.hours}`;
    if (!(Number.isSafeInteger(threads) && threads > 0)) return `--threads must be at least 1`;
    const { mode } = values;
    if (mode !== 'normal' && mode !== 'A1-broken' && mode !== 'A2-broken') {
      return `--mode must be normal, A1-broken or A2-broken, received ${mode}`;
    }
    const theme = THEMES.find((each) => each === values.theme);
    if (values.theme !== theme)
      return `--theme must be one of ${THEMES.join(', ')}, received ${values.theme}`;
    const { climate } = values;
    if (climate !== 'storm' && climate !== 'mixed')
      return `--climate must be storm or mixed, received ${climate}`;
    const { promise } = values;
    if (promise !== undefined && !isInvariant(promise))
      return `--promise must be I1 to I11, received ${promise}`;
    const { subject, twice, trace } = values;
    const options: Options = {
      seed,
      runs,
      minutes,
      subject,
      promise,
      hours,
      mode,
      theme,
      climate,
      twice,
      trace,
      shrink: values.shrink,
      threads,
    };
    subjectOf(options);
    return options;
  } catch (error) {
    return (error as Error).message;
  }
}

function isInvariant(name: string): name is InvariantName {
  return (ALL_INVARIANTS as ReadonlySet<string>).has(name);
}
