/** Between a run and the stretches of recordings that are kept for the end. */
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
import type { Recording } from '../../storage/recording.js';
import { momentText } from '../view/moment.js';
import { say } from '../view/output.js';
import { RUNS_FOLDER } from './backtest-run.js';

/** A recording as a run reads it. */
export interface Looked {
  readonly recording: Pick<Recording, 'pair' | 'days'>;
  /** ms, as asked for. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** A run that looked. */
interface Looker extends Pick<HoldoutEvent, 'pair' | 'strategy'> {
  readonly runId: string;
  /** First and last print that it saw, ms. */
  readonly from: number;
  readonly to: number;
}

export interface HoldoutGate {
  /** The run is over, and nobody has seen what it came to: what it looked at is written down, what it opened is said. */
  tell(looker: Looker): Promise<void>;
}

/**
 * `isKept`: the runs are written down.
 *
 * @throws UsageError where one of them reaches into a holdout that is sealed, unless it is to be opened
 */
export async function holdoutGate(
  files: Files,
  looks: readonly Looked[],
  { isOpening, isKept }: { readonly isOpening: boolean; readonly isKept: boolean },
): Promise<HoldoutGate> {
  const holdouts = await readHoldouts(files, RUNS_FOLDER);
  if (!isOpening) {
    for (const look of looks) demandUnsealed(holdouts, look.recording.pair, stretchOf(look), momentText);
  }
  return {
    async tell({ pair, strategy, runId, from, to }) {
      const stretch = { from, to: to + 1 };
      for (const sealed of holdouts.sealedIn(pair, stretch)) {
        const event = { event: 'opened', pair, from: sealed.from, to: sealed.to, strategy, runId } as const;
        await addHoldoutEvent(files, RUNS_FOLDER, event);
        const what = `${momentText(sealed.from)} to ${momentText(sealed.to)}`;
        await say(`the holdout of ${pair}, ${what}, is opened by run ${runId}: it is one no more`);
      }
      await sayOpened(holdouts, pair, stretch, runId);
      if (!isKept || holdouts.seenBy(pair, stretch).some((event) => event.runId === runId)) return;
      try {
        await addHoldoutEvent(files, RUNS_FOLDER, { event: 'seen', pair, ...stretch, strategy, runId });
      } catch (error) {
        // It opened nothing: no reason to lose the result.
        await say(
          `warning: it was not written down that run ${runId} has seen this stretch: ${String(error)}`,
        );
      }
    },
  };
}

/** What was kept for the end, and was looked at by others. */
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
    `a part of it was a holdout, ${what}, and was opened by run ${first.runId ?? 'unknown'}${more}: it is no longer unseen`,
  );
}

/** What there can be of it at most: whole days, as far as they are asked for. */
function stretchOf({ recording: { days }, from, to }: Looked): Stretch {
  const [first, last] = [days[0]?.day ?? 0, days.at(-1)?.day ?? 0];
  return {
    from: Math.max(first * DAY_MS, from ?? Number.NEGATIVE_INFINITY),
    to: Math.min((last + 1) * DAY_MS, to ?? Number.POSITIVE_INFINITY),
  };
}
