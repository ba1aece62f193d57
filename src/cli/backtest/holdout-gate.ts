/** Stands between runs and holdouts, the stretches of recordings that are reserved for a final test. */
import {
  addHoldoutEvent,
  demandUnsealed,
  type HoldoutEvent,
  type Holdouts,
  readHoldouts,
} from '../../backtest/holdouts.js';
import type { Stretch } from '../../backtest/search/stretches.js';
import { DAY_MS } from '../../model/calendar.js';
import { counted } from '../../model/counted.js';
import type { Files } from '../../ports/files.js';
import type { Recording } from '../../storage/recording/recording.js';
import type { Machine } from '../machine.js';
import { reasonText } from '../report-error.js';
import { momentText } from '../view/moment.js';
import { say } from '../view/output.js';
import { RUNS_FOLDER } from './backtest-run.js';

/** A recording that runs are going to read. */
export interface Looked {
  readonly recording: Recording;
  readonly strategies: readonly { readonly bound: { readonly name: string } }[];
  /** The stretch as requested, ms; `undefined`: not bounded. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** A run that has read a recording. */
interface Looker extends Pick<HoldoutEvent, 'pair' | 'strategy'> {
  readonly runId: string;
  /** First and last print that it read, ms. */
  readonly from: number;
  readonly to: number;
}

export interface HoldoutGate {
  /**
   * The recording for the runs. Before its first print is read, the look is noted, and opening a sealed holdout is noted
   * and reported. An interrupted or failed run has looked as well, because its progress or its error reveals what it saw.
   */
  open(look: Looked): Recording;
  /** Notes after a run what it looked at, with its id. */
  tell(looker: Looker): Promise<void>;
}

/** @throws UsageError when one of them reaches into a sealed holdout, unless `isOpening` */
export async function holdoutGate(
  { files, entropy }: Pick<Machine, 'files' | 'entropy'>,
  looks: readonly Looked[],
  { isOpening }: { readonly isOpening: boolean },
): Promise<HoldoutGate> {
  const holdouts = await readHoldouts(files, RUNS_FOLDER);
  if (!isOpening) {
    for (const look of looks) demandUnsealed(holdouts, look.recording.pair, stretchOf(look), momentText);
  }
  const look = Buffer.from(entropy.bytes(8)).toString('hex');
  let isTold = false;
  return {
    open(looked) {
      const { pair } = looked.recording;
      const sealed = holdouts.sealedIn(pair, stretchOf(looked));
      return onFirstRead(looked.recording, () => begin(looked, sealed));
    },
    async tell({ pair, strategy, runId, from, to }) {
      const stretch = { from, to: to + 1 };
      for (const sealed of holdouts.sealedIn(pair, stretch)) {
        await addOpened(files, [sealed], { strategy, runId, look });
        await say(`${nameOf(sealed)} was opened by run ${runId}`);
      }
      await sayOpened(holdouts, pair, stretch, runId);
      try {
        await addHoldoutEvent(files, RUNS_FOLDER, { event: 'seen', pair, ...stretch, strategy, runId, look });
      } catch (error) {
        // The run opened no seal, so a note that cannot be written must not cost the result.
        if (!isTold) await sayUnwritten(runId, error);
      }
    },
  };

  async function begin(looked: Looked, sealed: readonly HoldoutEvent[]): Promise<void> {
    const { pair } = looked.recording;
    for (const strategy of new Set(looked.strategies.map(({ bound }) => bound.name))) {
      const by = { strategy, runId: null, look };
      await addOpened(files, sealed, by);
      try {
        await addHoldoutEvent(files, RUNS_FOLDER, { event: 'seen', pair, ...stretchOf(looked), ...by });
      } catch (error) {
        isTold = true;
        await say(
          `warning: it cannot be written down that ${strategy} looks at this stretch: ${reasonText(error)}`,
        );
      }
    }
    for (const each of sealed) await sayBroken(each);
  }
}

/** Notes and reports, before a search begins, that it is going to look at these holdouts. */
export async function openSeals(
  files: Files,
  sealed: readonly HoldoutEvent[],
  by: Pick<HoldoutEvent, 'strategy' | 'runId'>,
): Promise<void> {
  await addOpened(files, sealed, by);
  for (const each of sealed) await sayBroken(each);
}

export async function sayUnwritten(runId: string, error: unknown): Promise<void> {
  await say(`warning: it was not written down that run ${runId} has seen this stretch: ${reasonText(error)}`);
}

export async function sayBroken(sealed: HoldoutEvent): Promise<void> {
  await say(`${nameOf(sealed)} is opened: it is one no more, whatever comes of this`);
}

async function addOpened(
  files: Files,
  sealed: readonly HoldoutEvent[],
  by: Pick<HoldoutEvent, 'strategy' | 'runId' | 'look'>,
): Promise<void> {
  for (const { pair, from, to } of sealed) {
    await addHoldoutEvent(files, RUNS_FOLDER, { event: 'opened', pair, from, to, ...by });
  }
}

function nameOf({ pair, from, to }: HoldoutEvent): string {
  return `the holdout of ${pair}, ${momentText(from)} to ${momentText(to)},`;
}

/** Wraps a recording so that `begin` is called once, and completes before anybody reads recorded data. */
function onFirstRead(recording: Recording, begin: () => Promise<void>): Recording {
  let begun: Promise<void> | undefined;
  async function* behind<T>(rows: () => AsyncGenerator<T, void, undefined>) {
    begun ??= begin();
    await begun;
    yield* rows();
  }
  return {
    ...recording,
    chunks: () => behind(() => recording.chunks()),
    bars: () => behind(() => recording.bars()),
    facts: () => behind(() => recording.facts()),
  };
}

/** Reports holdouts in a stretch that other runs have looked at. */
export async function sayOpened(
  holdouts: Holdouts,
  pair: string,
  stretch: Stretch,
  runId?: string,
): Promise<void> {
  const [first, ...others] = holdouts.openedBy(pair, stretch).filter((event) => event.runId !== runId);
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'other run')}`;
  const what = `${momentText(first.from)} to ${momentText(first.to)}`;
  await say(
    `a part of it was a holdout, ${what}, and was opened by ${who(first)}${more}: it is no longer unseen`,
  );
}

function who({ runId, strategy, look }: HoldoutEvent): string {
  if (runId !== null) return `run ${runId}`;
  return look === undefined ? `a search of ${strategy}` : `${strategy}, which came to no result`;
}

/** The largest possible stretch of the recording: whole days, within the requested bounds. */
function stretchOf({ recording: { days }, from, to }: Looked): Stretch {
  const [first, last] = [days[0]?.day ?? 0, days.at(-1)?.day ?? 0];
  return {
    from: Math.max(first * DAY_MS, from ?? Number.NEGATIVE_INFINITY),
    to: Math.min((last + 1) * DAY_MS, to ?? Number.POSITIVE_INFINITY),
  };
}
