import { compareIds, isDecimalId, type Trade } from '../../model/trade.js';
import type { Files } from '../../ports/files.js';
import { EVERYTHING, readChunks } from '../rows/day-reader.js';
import { pairDirectory } from '../rows/layout.js';
import { findRecording } from './recording.js';

/** How far a venue's clock may step back, ms. */
const SLACK_MS = 60_000;

/**
 * First and last trade of a recording with numeric ids. A trade with an id between theirs must have a time between
 * theirs.
 */
export class IdSpan {
  readonly #first: Trade;
  readonly #last: Trade;

  private constructor(first: Trade, last: Trade) {
    this.#first = first;
    this.#last = last;
  }

  /** `undefined` when there are no trades, or their ids are not numeric. */
  static async of(files: Files, directory: string, pair: string): Promise<IdSpan | undefined> {
    if ((await files.stat(pairDirectory(directory, pair))) === undefined) return undefined;
    const found = await findRecording(files, [directory], pair).catch(() => undefined);
    const days = (found?.days ?? []).filter(({ kind }) => kind === 'trades');
    const first = await endOf(files, days.slice(0, 1), 'first');
    const last = await endOf(files, days.slice(-1), 'last');
    if (first === undefined || last === undefined || !isDecimalId(first.id) || !isDecimalId(last.id))
      return undefined;
    return compareIds(first.id, last.id) < 0 && first.time < last.time ? new IdSpan(first, last) : undefined;
  }

  /** Why a trade cannot be of the same market: its id lies within the recording and its time does not. */
  objection({ id, time }: Trade): string | undefined {
    const [first, last] = [this.#first, this.#last];
    if (!isDecimalId(id) || (time >= first.time - SLACK_MS && time <= last.time + SLACK_MS)) return undefined;
    if (compareIds(id, first.id) < 0 || compareIds(id, last.id) > 0) return undefined;
    return (
      `trade ${id} must be the same wherever it occurs, received one at ${time}; ` +
      `the recording has the ids ${first.id} to ${last.id} from ${first.time} to ${last.time}`
    );
  }
}

async function endOf(
  files: Files,
  days: Parameters<typeof readChunks>[1],
  end: 'first' | 'last',
): Promise<Trade | undefined> {
  let found: Trade | undefined;
  for await (const chunk of readChunks(files, days, EVERYTHING)) {
    if (chunk.count === 0) continue;
    found = chunk.trade(end === 'first' ? 0 : chunk.count - 1);
    if (end === 'first') break;
  }
  return found;
}
