/** `npm run model-range`: measures what docs/model-range.md says. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Best, bestOfNoise, noiseFigures, type NoiseName } from '../backtest/statistics/noise.js';
import { codeHash, type Commit, currentCommit } from '../evidence/sources.js';
import { Store } from '../evidence/store.js';
import { type Covered, cover } from './cover.js';
import { type Family, FAMILIES, FAMILY_NAMES } from './families.js';
import { MEASURED_CODE } from './measured-code.js';
import { publish } from './publish.js';
import { recordTape } from './record-tape.js';
import type { CoverageResult, NoiseResult } from './results.js';

const USAGE = `usage: npm run model-range -- [options]

  --first N     first seed of the coverage protocol; default 2000 (below 2000: looked at while it was made)
  --seeds N     how many seeds, of each family and of each kind of noise; default 200
  --minutes M   virtual time of a run; default 10
  --slippage T  ticks, of the queue model; default 4
  --only PART   coverage, noise, report; several with commas

Results are appended to var/model-range, by the code that they are of: what is there is not measured again.
`;
const PARTS = ['coverage', 'noise', 'report'] as const;
const FOLDER = join('var', 'model-range');
const MINUTE_MS = 60_000;
/** Two seeds of each family. */
const RUNS_AGAIN = 6;
const NOISE_NAMES: readonly NoiseName[] = ['normal', 'laplace'];

interface FamilyRun extends Covered {
  readonly family: Family;
}

interface NoiseRun extends Best {
  readonly name: NoiseName;
  readonly seed: number;
}

interface Plan {
  readonly first: number;
  readonly seeds: number;
  readonly minutes: number;
  readonly slippage: number;
  readonly parts: readonly string[];
}

function planOf(): Plan | string {
  try {
    const { values } = parseArgs({
      options: {
        first: { type: 'string', default: '2000' },
        seeds: { type: 'string', default: '200' },
        minutes: { type: 'string', default: '10' },
        slippage: { type: 'string', default: '4' },
        only: { type: 'string', default: PARTS.join(',') },
      },
    });
    const whole = { first: values.first, seeds: values.seeds, slippage: values.slippage };
    for (const [name, text] of Object.entries(whole)) {
      if (!/^\d+$/.test(text)) return `--${name} must be a whole number, received ${text}`;
    }
    if (!(Number(values.minutes) > 0)) return `--minutes must be above 0, received ${values.minutes}`;
    const parts = values.only.split(',');
    const unknown = parts.find((part) => !(PARTS as readonly string[]).includes(part));
    if (unknown !== undefined) return `--only must be of ${PARTS.join(', ')}, received ${unknown}`;
    return {
      first: Number(values.first),
      seeds: Number(values.seeds),
      minutes: Number(values.minutes),
      slippage: Number(values.slippage),
      parts,
    };
  } catch (error) {
    return (error as Error).message;
  }
}

/** Of the present code, or of the code that there is most of. */
function storeOf<T>(name: string, source: string, commit: string): { store: Store<T>; source: string } {
  const open = (code: string) => new Store<T>(join(FOLDER, `${name}-${code}.ndjson`), commit);
  const own = open(source);
  if (own.results.length > 0 || !existsSync(FOLDER)) return { store: own, source };
  const others = readdirSync(FOLDER)
    .filter((file) => file.startsWith(`${name}-`))
    .map((file) => file.slice(name.length + 1, -'.ndjson'.length))
    .map((code) => ({ store: open(code), source: code }));
  others.sort((a, b) => b.store.results.length - a.store.results.length);
  return others[0] ?? { store: own, source };
}

async function measureCoverage(plan: Plan, store: Store<FamilyRun>): Promise<void> {
  const done = new Set(store.results.map(({ family, seed }) => `${family}/${seed}`));
  const durationMs = plan.minutes * MINUTE_MS;
  for (let seed = plan.first; seed < plan.first + plan.seeds; seed++) {
    const families = FAMILY_NAMES.filter((family) => !done.has(`${family}/${seed}`));
    if (families.length === 0) continue;
    const alone = await recordTape(String(seed), durationMs);
    for (const family of families) {
      const options = { alone, slippageTicks: plan.slippage };
      store.add({ family, ...(await cover(String(seed), durationMs, FAMILIES[family](), options)) });
    }
    if ((seed - plan.first + 1) % 20 === 0) process.stderr.write(`coverage: seed ${seed}\n`);
  }
}

function measureNoise(plan: Plan, store: Store<NoiseRun>): void {
  const done = new Set(store.results.map(({ name, seed }) => `${name}/${seed}`));
  for (const name of NOISE_NAMES) {
    for (let seed = 0; seed < plan.seeds; seed++) {
      if (!done.has(`${name}/${seed}`)) store.add({ name, seed, ...bestOfNoise(name, seed) });
    }
    process.stderr.write(`noise: ${name}\n`);
  }
}

async function main(): Promise<number> {
  const plan = planOf();
  if (typeof plan === 'string') {
    process.stderr.write(`error: ${plan}\n${USAGE}`);
    return 2;
  }
  const commit = currentCommit();
  const coverageName = `coverage-${plan.minutes}m-${plan.slippage}t`;
  const coverageCode = await codeHash(MEASURED_CODE.coverage);
  const noiseCode = await codeHash(MEASURED_CODE.noise);
  if (plan.parts.includes('coverage')) {
    await measureCoverage(
      plan,
      new Store<FamilyRun>(join(FOLDER, `${coverageName}-${coverageCode}.ndjson`), commit.id),
    );
  }
  if (plan.parts.includes('noise')) {
    measureNoise(plan, new Store<NoiseRun>(join(FOLDER, `noise-${noiseCode}.ndjson`), commit.id));
  }
  if (!plan.parts.includes('report')) return 0;
  const coverage = storeOf<FamilyRun>(coverageName, coverageCode, commit.id);
  const noise = storeOf<NoiseRun>('noise', noiseCode, commit.id);
  publish(
    {
      ...(coverage.store.results.length === 0
        ? {}
        : { coverage: await coverageResult(plan, coverage, coverageCode, commit) }),
      ...(noise.store.results.length === 0 ? {} : { noise: noiseResult(noise) }),
    },
    commit,
  );
  return 0;
}

/** The first few stored runs once more, by the present code. */
async function runAgain(plan: Plan, stored: readonly FamilyRun[]): Promise<{ runs: number; same: number }> {
  const again = stored.slice(0, RUNS_AGAIN);
  let same = 0;
  for (const { family, ...before } of again) {
    const options = { slippageTicks: plan.slippage };
    const now = await cover(before.seed, plan.minutes * MINUTE_MS, FAMILIES[family](), options);
    if (JSON.stringify(now) === JSON.stringify(before)) same++;
  }
  return { runs: again.length, same };
}

async function coverageResult(
  plan: Plan,
  { store, source }: { readonly store: Store<FamilyRun>; readonly source: string },
  present: string,
  now: Commit,
): Promise<CoverageResult> {
  const { minutes, slippage } = plan;
  const runs = store.results;
  const seeds = runs.map(({ seed }) => Number(seed));
  return {
    source,
    ...(source === present ? {} : { again: { commit: now.id, ...(await runAgain(plan, runs)) } }),
    commits: store.commits,
    minutes,
    slippageTicks: slippage,
    firstSeed: seeds.reduce((a, b) => Math.min(a, b)),
    lastSeed: seeds.reduce((a, b) => Math.max(a, b)),
    families: Object.fromEntries(
      FAMILY_NAMES.map((family) => [family, runs.filter((run) => run.family === family)] as const).filter(
        ([, of]) => of.length > 0,
      ),
    ),
  };
}

function noiseResult({
  store,
  source,
}: {
  readonly store: Store<NoiseRun>;
  readonly source: string;
}): NoiseResult {
  const figures = NOISE_NAMES.flatMap((name) => {
    const found = store.results.filter((run) => run.name === name);
    return found.length === 0 ? [] : [[name, noiseFigures(found)] as const];
  });
  return {
    source,
    commits: store.commits,
    figures: Object.fromEntries(figures),
  };
}

process.exitCode = await main();
