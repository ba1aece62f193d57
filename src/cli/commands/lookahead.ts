import { extname, relative } from 'node:path';
import { runBacktest } from '../../backtest/backtest.js';
import { type Leak, lookahead as prove, type LookaheadResult } from '../../backtest/lookahead.js';
import { processFacts } from '../../platform/process.js';
import { openRecording } from '../../storage/recording/recording.js';
import { capitalOf } from '../settings/capital.js';
import type { RecordedRunOptions } from '../backtest/backtest-options.js';
import { dataPaths } from '../backtest/data-paths.js';
import { holdoutGate } from '../backtest/holdout-gate.js';
import { limitsOf } from '../settings/limits.js';
import { packageVersion } from '../package.js';
import { readSettings } from '../settings/settings.js';
import { loadConfiguredStrategy, type LoadedStrategy } from '../strategy/strategy.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { momentText, parseStretch } from '../view/moment.js';
import { printJson, printText, say } from '../view/output.js';

export interface LookaheadOptions
  extends Pick<RecordedRunOptions, 'data' | 'pair' | 'from' | 'to' | 'set' | 'seed' | 'config' | 'json'> {
  readonly cuts: number;
}

/** Exit code 3 if the strategy's decisions depended on data that it could not know. */
export async function lookahead(name: string, options: LookaheadOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const { files, area } = machine;
  const settings = await readSettings(machine, options.config);
  const { strategy, configured } = await loadConfiguredStrategy(machine, settings, name, options);
  const data = await dataPaths(machine, settings, options.data);
  const { from, to } = parseStretch(options);
  const pair = options.pair ?? configured?.pair;
  const whole = await openRecording(files, data.paths, { pair, from, to });
  // The error of a strategy reveals what it saw, so cuts must not reach into a sealed holdout either.
  const look = { recording: whole, strategies: [strategy], from, to };
  const recording = (await holdoutGate(machine, [look], { isOpening: false })).open(look);
  await say(`data: ${data.paths.join(', ')} (${data.origin}), ${recording.pair}`);
  const seed = String(options.seed);
  const same = {
    fill: 'queue',
    strategyHash: strategy.sha256,
    capital: capitalOf(recording.market, undefined),
    limits: limitsOf(recording.market, settings),
    seed,
    engineVersion: await packageVersion(files),
  } as const;
  const result = await prove({
    strategy: strategy.bound,
    recording,
    cuts: options.cuts,
    seed,
    run: (bound, cut) => runBacktest({ ...same, strategy: bound, recording: cut }),
    onProgress: (done) => area?.show([`${done} of ${options.cuts} cuts`]),
  }).catch((error: unknown) => {
    throw strategy.explain(error);
  });
  area?.show([]);
  const unproven = unprovenOf(strategy);
  if (options.json === true) await printJson({ ...result, ...unproven });
  else await printText([resultText(strategy.definition.name, result), ...unprovenLines(unproven)].join('\n'));
  return result.identical && result.answers > 0 ? EXIT.ok : EXIT.checkFailed;
}

interface Unproven {
  /** Imported files that are not code: their contents are available too early in every run. */
  readonly carried: readonly string[];
  /** Third-party packages, which were not searched for clocks and randomness. */
  readonly packages: readonly string[];
}

/** What a strategy brings along, so that cutting the recording cannot take it away. */
function unprovenOf({ inputs, packages }: Pick<LoadedStrategy, 'inputs' | 'packages'>): Unproven {
  const { directory } = processFacts();
  const carried = inputs.filter((path) => !CODE.has(extname(path)));
  return { carried: carried.map((path) => relative(directory, path)), packages };
}

const CODE = new Set(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.tsx', '.jsx']);

function unprovenLines({ carried, packages }: Unproven): readonly string[] {
  return [
    ...carried.map(
      (path) => `  not proven    ${path}: what a strategy brings along is there before its time in every run`,
    ),
    ...packages.map((name) => `  not proven    ${name}: nobody looked for clocks and chance in a package`),
  ];
}

function resultText(name: string, { cuts, answers, firstLeak }: LookaheadResult): string {
  if (firstLeak !== undefined) return leakText(name, firstLeak);
  if (answers === 0) {
    return `${name}: NOTHING PROVEN: it gave no answer over the whole recording, so there was none to compare (more data or shorter bars may have some)`;
  }
  return (
    `${name}: ${cuts} cuts, the future absent and poisoned: ` +
    `up to each cut the answers are those of the whole run (${answers} in all)`
  );
}

const DIFFERED = {
  absent: 'the trades after it were not there',
  poisoned: 'the trades after it were others',
  same: 'the same run a second time: it keeps something, or decides by chance',
};

function leakText(name: string, { future, cut, event, handler, time, whole, cutShort }: Leak): string {
  const where = cut === undefined ? '' : `cut at ${momentText(cut)}, `;
  return [
    `${name} does NOT decide by the past alone (${where}${DIFFERED[future]})`,
    `  first at event ${event}, ${handler} of ${momentText(time)}`,
    `    with the whole recording  ${whole}`,
    `    otherwise                 ${cutShort}`,
  ].join('\n');
}
