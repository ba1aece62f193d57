/**
 * `npm run mutants [-- --only ID] [--max-seeds N] [--threads N]`: hunts wrong versions of the protocol with the
 * simulation, and writes test/simulation/mutants/result.json.
 * Exit code 0 when each was seen or is explained, 1 when not, 2 when it was called in a wrong way.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Hunted, hunt, type Seen } from './hunt.js';
import type { Mutant } from './mutant.js';
import { MUTANTS } from './mutants.js';

const USAGE = `usage: npm run mutants [-- options]

  --only ID        one of them, or several with commas between; default all
  --max-seeds N    of each hunt; default 300
  --threads N      hunts at a time; default 1
`;

/** As `result.json` holds it. */
export interface MutantResult {
  readonly id: string;
  readonly meaning: string;
  readonly mode: string;
  readonly hours: number;
  /** What all seeds of the hunt were about; absent: what each of them drew. */
  readonly theme?: string;
  /** The program that it was in; absent: the runner without stops. */
  readonly subject?: string;
  /** The first that shows it, and what was broken then; both absent when none does. */
  readonly seed?: number;
  readonly invariant?: string;
  /** Runs that were made. */
  readonly runs: number;
  readonly equivalent?: string;
}

// This program is run under the name of its source.
const here = dirname(process.argv[1] ?? '');
const root = dirname(dirname(dirname(here)));
const resultPath = join(here, 'result.json');

process.exitCode = await main();

async function main(): Promise<number> {
  const options = optionsOf();
  if (typeof options === 'string') {
    process.stderr.write(`error: ${options}\n${USAGE}`);
    return 2;
  }
  const { mutants, maxSeeds, threads } = options;
  const results: MutantResult[] = [];
  const broken = new Map<string, Seen>();
  const waiting = [...mutants];
  const one = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const hunted = await hunt(mutant, { root, maxSeeds });
      for (const seen of hunted.broken) broken.set(placeOf(seen), seen);
      const result = resultOf(mutant, hunted);
      results.push(result);
      keep(results);
      process.stdout.write(`${lineOf(result)}\n`);
      if (hunted.killed !== undefined) process.stdout.write(`  ${hunted.killed.what}\n`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, mutants.length) }, one));
  const killed = results.filter(({ seed }) => seed !== undefined).length;
  const explained = results.filter(({ seed, equivalent }) => seed === undefined && equivalent !== undefined);
  const left = results.length - killed - explained.length;
  process.stdout.write(
    `${results.length} mutants: ${killed} killed, ${explained.length} equivalent, ${left} survived\n`,
  );
  for (const [place, { invariant, what }] of broken) {
    process.stdout.write(`${place} breaks ${invariant} without any mutant: ${what}\n`);
  }
  return left === 0 && broken.size === 0 ? 0 : 1;
}

function placeOf({ seed, mode, hours, theme, subject }: Seen): string {
  const more = [theme, subject].filter((each) => each !== undefined);
  return `seed ${seed} (${[mode, `${hours} h`, ...more].join(', ')})`;
}

function resultOf({ id, meaning, hunts, equivalent }: Mutant, { killed, runs }: Hunted): MutantResult {
  const [first] = hunts;
  const { mode, hours, theme, subject } = killed ?? first ?? { mode: 'normal', hours: 0 };
  return {
    id,
    meaning,
    mode,
    hours,
    ...(theme === undefined ? {} : { theme }),
    ...(subject === undefined ? {} : { subject }),
    ...(killed === undefined ? {} : { seed: killed.seed, invariant: killed.invariant }),
    runs,
    ...(equivalent === undefined ? {} : { equivalent }),
  };
}

function lineOf(result: MutantResult): string {
  const { id, meaning, mode, hours, theme = '', seed, invariant = '', runs, equivalent } = result;
  const end =
    seed === undefined
      ? `${equivalent === undefined ? 'SURVIVED' : 'equivalent'}, ${runs} runs`
      : `${invariant.padEnd(4)} seed ${String(seed).padStart(3)} ${mode} ${hours} h ${theme}`;
  return `${id.padEnd(28)} ${end.padEnd(32)} ${meaning}`;
}

/** Those that were not hunted this time stay as they were. */
function keep(results: readonly MutantResult[]): void {
  const known = existsSync(resultPath)
    ? (JSON.parse(readFileSync(resultPath, 'utf8')) as MutantResult[])
    : [];
  const byId = new Map([...known, ...results].map((result) => [result.id, result]));
  const listed = MUTANTS.map(({ id }) => byId.get(id)).filter((result) => result !== undefined);
  writeFileSync(resultPath, `${JSON.stringify(listed, null, 2)}\n`);
}

interface Options {
  readonly mutants: readonly Mutant[];
  readonly maxSeeds: number;
  readonly threads: number;
}

/** Or what is wrong with them. */
function optionsOf(): Options | string {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        'max-seeds': { type: 'string', default: '300' },
        threads: { type: 'string', default: '1' },
      },
    });
    const maxSeeds = Number(values['max-seeds']);
    const threads = Number(values.threads);
    if (!(Number.isSafeInteger(maxSeeds) && maxSeeds > 0)) return '--max-seeds must be at least 1';
    if (!(Number.isSafeInteger(threads) && threads > 0)) return '--threads must be at least 1';
    const ids = values.only?.split(',');
    const unknown = ids?.find((id) => !MUTANTS.some((mutant) => mutant.id === id));
    if (unknown !== undefined) return `--only must name mutants of the list, received ${unknown}`;
    const mutants = MUTANTS.filter(({ id }) => ids === undefined || ids.includes(id));
    return { mutants, maxSeeds, threads };
  } catch (error) {
    return (error as Error).message;
  }
}
