/** Writes docs/evidence.json and the page that is made of it, and says whether anything was broken. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Evidence, MutantEvidence, Sample } from './evidence.js';
import { withMostDays } from './parts/before.js';
import { evidencePage } from './page.js';
import { isOurs } from './parts/simulation.js';
import type { Commit } from './sources.js';

const JSON_PATH = 'docs/evidence.json';
const PAGE_PATH = 'docs/evidence.md';
const MUTANTS_PATH = 'test/simulation/mutants/result.json';

export const BROKEN: ReadonlySet<string> = new Set(['A1-broken', 'A2-broken']);

/**
 * What is not measured now stays as it was, each part with the code that it is of. So do more days of the normal mode by
 * code that does the same: another clone went on behind them. Returns the exit code.
 */
export function publish({ simulation, ...others }: Partial<Evidence>, commit: Commit): number {
  const before = published();
  const measured = { ...others, simulation: withMostDays(simulation, before?.simulation) };
  const mutants = readMutants();
  const evidence: Evidence = {
    ...before,
    ...measured,
    simulation: {
      before: (measured.simulation?.runs.normal ? measured : before)?.simulation?.before ?? [],
      runs: { ...before?.simulation?.runs, ...measured.simulation?.runs },
    },
    ...(mutants === undefined ? {} : { mutants }),
    schemaVersion: 2,
    date: new Date().toISOString().slice(0, 10),
    commit: commit.id,
    isDirty: commit.isDirty,
    machine: { cores: availableParallelism(), node: process.versions.node },
  };
  mkdirSync('docs', { recursive: true });
  writeFileSync(JSON_PATH, `${JSON.stringify(evidence, null, 2)}\n`);
  writeFileSync(PAGE_PATH, evidencePage(evidence));
  const broken = brokenOf(evidence);
  for (const each of broken) process.stderr.write(`broken: ${each}\n`);
  return broken.length === 0 ? 0 : 1;
}

/** Runs the published sample again. Returns the exit code. */
export async function checkSample(
  run: (samples: readonly Sample[]) => Promise<readonly Sample[]>,
): Promise<number> {
  const { sample, machine } = published() ?? {};
  if (sample === undefined) {
    process.stderr.write(
      `${JSON_PATH} must have a sample, received none: npm run evidence -- --only sample\n`,
    );
    return 1;
  }
  const found = await run(sample.runs);
  const named = ({ seed, mode, subject, hours, climate = 'storm' }: Sample) =>
    `seed ${seed}, ${mode}, ${climate}, ${hours} h${subject === undefined ? '' : `, ${subject}`}`;
  const now = new Map(found.map((each) => [named(each), each.traceHash]));
  const different = sample.runs.filter((each) => now.get(named(each)) !== each.traceHash);
  for (const each of different) {
    process.stdout.write(
      `${named(each)}: trace ${now.get(named(each)) ?? 'none'}, ${JSON_PATH} has ${each.traceHash}\n`,
    );
  }
  if (different.length === 0) {
    process.stdout.write(`all ${sample.runs.length} published traces come out the same\n`);
    return 0;
  }
  process.stdout.write(
    `${different.length} of ${sample.runs.length} published traces came out differently. If the code was changed on ` +
      `purpose since they were taken (source ${sample.source}, Node ${machine?.node ?? '?'}):\n` +
      '  npm run evidence -- --only sample\n' +
      'takes them anew; commit docs/evidence.json and docs/evidence.md. If not, a seed is not one run any more.\n',
  );
  return 1;
}

export function published(): Evidence | undefined {
  if (!existsSync(JSON_PATH)) return undefined;
  const { schemaVersion, simulation, ...rest } = JSON.parse(readFileSync(JSON_PATH, 'utf8')) as Evidence;
  // An older form does not say which of its simulations was measured with what.
  const isKnown = schemaVersion === 2 && simulation !== undefined;
  return { ...rest, schemaVersion: 2, ...(isKnown ? { simulation } : {}) };
}

function readMutants(): MutantEvidence | undefined {
  if (!existsSync(MUTANTS_PATH)) return undefined;
  return { mutants: JSON.parse(readFileSync(MUTANTS_PATH, 'utf8')) as MutantEvidence['mutants'] };
}

/** In words; empty when all that is promised was kept. */
function brokenOf({ simulation, equality, journal, kills, session }: Evidence): readonly string[] {
  const broken: string[] = [];
  const none = (what: string, count: number | undefined) => {
    if (count !== undefined && count > 0) broken.push(`${what}: ${count}`);
  };
  for (const [name, run] of Object.entries(simulation?.runs ?? {})) {
    if (isOurs(run.subject) && run.violations.length > 0) {
      broken.push(`${name}: ${run.violations.slice(0, 20).join(', ')}`);
    }
    none(`${name}: secrets in logs or files`, run.secrets);
    for (const each of run.failed) broken.push(`${name}: ${each}`);
  }
  for (const name of ['normal', 'stops'] as const) {
    const run = simulation?.runs[name];
    none(`${name}: duplicates`, run?.duplicates);
    none(`${name}: unattributed orders`, run?.orphans);
    none(`${name}: runs beyond the limit`, run?.beyondLimit);
  }
  none('traces that differ the second time', equality && equality.seeds - equality.equal);
  none('journal: false records', journal?.counts.falseRecords);
  none('journal: lost records', journal?.counts.lostRecords);
  none('journal: false alarms', journal?.counts.falseAlarms);
  none('journal: unnoticed flips', journal?.counts.unnoticed);
  if (journal?.counts.fullDisk === 'failed') broken.push('journal: the full disk');
  if (session?.counts.identical === false) broken.push('session: executed again it is another one');
  if (session?.counts.named === false) broken.push('session: the changed input is not named');
  for (const problem of kills?.problems ?? []) broken.push(`kills: ${problem}`);
  return broken;
}
