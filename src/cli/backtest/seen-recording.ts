/** Restricts a recording to what a saved run saw of it, as the recording may have grown since. */
import { type RunData, runData } from '../../backtest/run-data.js';
import type { Files } from '../../ports/files.js';
import {
  findRecording,
  type FoundRecording,
  openFound,
  type Recording,
  type RecordingQuery,
} from '../../storage/recording/recording.js';

/** Times of the first and the last row that was read, ms, and the data that the result states. */
export interface Seen {
  readonly first: number;
  readonly last: number;
  /** Time of the last fact besides them, ms; `null` without any, `undefined` if that is not known. */
  readonly lastFact: number | null | undefined;
  readonly data: RunData;
}

export interface SeenRecording {
  readonly recording: Recording;
  /** Whether the requested stretch has more data than the run saw. */
  readonly hasGrown: boolean;
}

/** Opens what a run saw. `seen`: `undefined` if the result does not state it; then everything is opened. */
export async function openSeen(
  files: Files,
  paths: readonly string[],
  query: RecordingQuery,
  seen: Seen | undefined,
): Promise<SeenRecording> {
  const found = await findRecording(files, paths, query.pair);
  if (seen === undefined) return { recording: await openFound(files, found, query), hasGrown: false };
  const { first, last, lastFact } = seen;
  const opened = async (bounds: RecordingQuery) =>
    withFactsUpTo(lastFact, await openFound(files, found, bounds));
  const before = await firstWithin(files, found, { from: query.from, to: first });
  const next = await firstWithin(files, found, { from: last + 1, to: query.to });
  const from = before === undefined ? query.from : first;
  if (next === undefined) {
    return { recording: await opened({ ...query, from }), hasGrown: before !== undefined };
  }
  let part: Recording | undefined;
  // A market or funding rate may have been recorded after the last trade, so the next row is tried as a bound as well.
  for (const to of [last + 1, next]) {
    const recording = withKnownGaps(await opened({ ...query, from, to }), seen);
    if (isOver(recording, seen)) return { recording, hasGrown: true };
    part ??= recording;
  }
  return { recording: part as Recording, hasGrown: true };
}

/** Time of the first row in a stretch, ms; `undefined` without any. Damage is reported later, by who reads the rows. */
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

/** Removes gaps that the run cannot have known: a gap after its last trade shows only with the next one. */
function withKnownGaps(recording: Recording, { last, data }: Seen): Recording {
  const gaps = recording.gaps.filter(({ to }, at) => at < data.gaps || to <= last);
  return { ...recording, gaps };
}

/**
 * A fact may have been written after a later trade, and after the run had read that. `RecordingQuery.factsTo` would leave
 * out rates of funding behind the last fact, too, which the run knew of.
 */
function withFactsUpTo(lastFact: Seen['lastFact'], recording: Recording): Recording {
  if (lastFact === undefined) return recording;
  const last = lastFact ?? Number.NEGATIVE_INFINITY;
  return {
    ...recording,
    facts: async function* known() {
      for await (const facts of recording.facts()) {
        const end = facts.findIndex(({ time }) => time > last);
        yield end === -1 ? facts : facts.slice(0, end);
        if (end !== -1) return;
      }
    },
  };
}

function isOver(recording: Recording, { first, last, data }: Seen): boolean {
  const { hash, factsHash } = data;
  return (
    JSON.stringify(runData(recording, { from: first, to: last, hash, factsHash })) === JSON.stringify(data)
  );
}
