/** What a saved run saw of a recording, which may have grown since. */
import { type RunData, runData } from '../../backtest/run-data.js';
import type { Files } from '../../ports/files.js';
import {
  findRecording,
  type FoundRecording,
  openFound,
  type Recording,
  type RecordingQuery,
} from '../../storage/recording/recording.js';

/** ms, of the first and the last that was read; and what a run says that it was over. */
export interface Seen {
  readonly first: number;
  readonly last: number;
  readonly data: RunData;
}

export interface SeenRecording {
  readonly recording: Recording;
  /** There is more of it now in the stretch that was asked for. */
  readonly hasGrown: boolean;
}

/** `seen`: `undefined` of a run that does not tell; it has whatever there is. */
export async function openSeen(
  files: Files,
  paths: readonly string[],
  query: RecordingQuery,
  seen: Seen | undefined,
): Promise<SeenRecording> {
  const found = await findRecording(files, paths, query.pair);
  if (seen === undefined) return { recording: await openFound(files, found, query), hasGrown: false };
  const { first, last } = seen;
  const before = await firstWithin(files, found, { from: query.from, to: first });
  const next = await firstWithin(files, found, { from: last + 1, to: query.to });
  const from = before === undefined ? query.from : first;
  if (next === undefined) {
    return { recording: await openFound(files, found, { ...query, from }), hasGrown: before !== undefined };
  }
  let part: Recording | undefined;
  // What else was known by then may lie behind the last trade, such as the market or a rate of funding.
  for (const to of [last + 1, next]) {
    const recording = withKnownGaps(await openFound(files, found, { ...query, from, to }), seen);
    if (isOver(recording, seen)) return { recording, hasGrown: true };
    part ??= recording;
  }
  return { recording: part as Recording, hasGrown: true };
}

/** ms; `undefined` without any. What cannot be read is told of by who reads it for its rows. */
async function firstWithin(
  files: Files,
  found: FoundRecording,
  stretch: Pick<RecordingQuery, 'from' | 'to'>,
): Promise<number | undefined> {
  const onRest = () => undefined;
  const recording = await openFound(files, found, { ...stretch, faults: 'tell', onRest });
  const rows = recording.kind === 'bars' ? recording.bars() : recording.chunks();
  for await (const { count, time } of rows) if (count > 0) return time[0];
  return undefined;
}

/** A gap behind the last trade is known by the next one. */
function withKnownGaps(recording: Recording, { last, data }: Seen): Recording {
  const gaps = recording.gaps.filter(({ to }, at) => at < data.gaps || to <= last);
  return { ...recording, gaps };
}

function isOver(recording: Recording, { first, last, data }: Seen): boolean {
  const { hash, factsHash } = data;
  return (
    JSON.stringify(runData(recording, { from: first, to: last, hash, factsHash })) === JSON.stringify(data)
  );
}
