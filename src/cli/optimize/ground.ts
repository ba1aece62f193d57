import type { RunRecipe } from '../../backtest/registry.js';
import type { RecordedDays } from '../../backtest/search/recorded-days.js';
import type { Texts } from '../../backtest/search/space.js';
import type { Stretch } from '../../backtest/search/stretches.js';
import { UsageError } from '../../model/errors.js';
import { openRecording, type RecordingQuery } from '../../storage/recording/recording.js';
import { dataPaths } from '../backtest/data-paths.js';
import { demandUnreadFiles } from '../output/output-file.js';
import { recipeOptions } from '../backtest/recipe-options.js';
import { recordedStretch } from '../backtest/recorded-stretch.js';
import { readSettings } from '../settings/settings.js';
import { loadConfiguredStrategy, type LoadedStrategy } from '../strategy/strategy.js';
import { factsEnd } from './facts-end.js';
import type { Machine } from '../machine.js';
import { parseStretch } from '../view/moment.js';
import { say } from '../view/output.js';
import { unreadWarning } from '../view/unread-text.js';
import { type OptimizeCommandOptions, outputs } from './options.js';

/** Everything that a search runs on. */
export interface Ground {
  readonly machine: Machine;
  readonly strategy: LoadedStrategy;
  readonly fixed: Texts;
  readonly paths: readonly string[];
  readonly pair: string;
  /** The requested stretch, ms; `undefined`: bounded by the recording. */
  readonly asked: { readonly from: number | undefined; readonly to: number | undefined };
  readonly whole: Stretch;
  /** See `factsEnd`. */
  readonly factsTo: number;
  /** The days of the stretch that have prints. */
  readonly days: RecordedDays;
  readonly options: RunRecipe['options'];
}

export async function groundOf(
  machine: Machine,
  name: string,
  options: OptimizeCommandOptions,
): Promise<Ground> {
  const settings = await readSettings(machine, options.config);
  const fixed = options.set ?? {};
  const twice = Object.keys(options.space ?? {}).find((each) => Object.hasOwn(fixed, each));
  if (twice !== undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_SPACE',
      `a parameter must be chosen (--space) or stay as it is (--set), received both for ${twice}`,
    );
  }
  const { strategy, configured } = await loadConfiguredStrategy(machine, settings, name, options);
  const data = await dataPaths(machine, settings, options.data);
  await demandUnreadFiles(outputs(options), { settings, strategies: [strategy], data: data.paths });
  const asked = parseStretch(options);
  const recording = await openRecording(machine.files, data.paths, {
    pair: options.pair ?? configured?.pair,
    ...asked,
    onRest: (file, rest) => void say(unreadWarning(file, rest)),
  });
  const { pair, market } = recording;
  await say(`data: ${data.paths.join(', ')} (${data.origin}), ${pair}, market ${recording.marketSource}`);
  const { from, to, days } = await recordedStretch(recording, data.paths);
  return {
    machine,
    strategy,
    fixed: { ...configured?.params, ...fixed },
    paths: data.paths,
    pair,
    asked,
    whole: { from, to },
    factsTo: await factsEnd(machine.files, data.paths, { pair, rowsEnd: to }),
    days,
    options: recipeOptions(market, settings, options),
  };
}

/** What a trial opens: only what was there when the search began, though the recording may grow meanwhile. */
export function queryOf(ground: Ground, stretch: Stretch): RecordingQuery {
  return { pair: ground.pair, ...boundsOf(ground, stretch), rowsTo: stretch.to, factsTo: ground.factsTo };
}

/** The requested bounds where a stretch equals them, so that equal runs get equal ids. */
export function boundsOf({ asked, whole }: Ground, { from, to }: Stretch): Ground['asked'] {
  return { from: from === whole.from ? asked.from : from, to: to === whole.to ? asked.to : to };
}
