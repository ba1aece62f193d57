/**
 * Makes reads lag behind the truth. Trades and fills never change, so their past is exact: the list is requested up to
 * the earlier time. Past answers of other reads come from recorded ones (`AnswerHistory`). An order is late by the time
 * at which the venue accepted it.
 */
import type { SeededContentFault } from './fate.js';
import type { AnswerHistory, VenueAnswer } from './answer-history.js';
import { alteredResult, type Json, type JsonRecord, withoutRows } from './row-faults.js';

/** The venue behind the faults, as one caller sees it. */
export interface ReadDoor {
  /** The venue's own current answer to a read. */
  readonly read: (path: string, query: string) => VenueAnswer;
  /** When the venue accepted this order of the caller, ms; `undefined` if it does not know the order. */
  readonly acceptedAt: (orderId: string) => number | undefined;
}

export interface FaultyRead {
  readonly path: string;
  /** The query without the question mark. */
  readonly query: string;
  /** Venue time, ms. */
  readonly time: number;
  /** The caller's API key, as answers may depend on it. */
  readonly caller: string;
}

/** Lists whose rows never change. */
const GROWING_LISTS = new Set(['/trades', '/fills']);
/** Lists whose rows change. They are newest first, have `time`, and take the bounds `start`, `end` and `limit`. */
const CHANGING_LISTS = new Set([
  '/orders',
  '/active_orders',
  '/filled_orders',
  '/partially_filled_orders',
  '/cancelled_orders',
  '/completed_orders',
  '/triggers',
  '/deposits',
  '/withdrawals',
]);
const DEFAULT_LIMIT = 100;
/** More rows than any venue has. */
const ALL = 1_000_000;

/**
 * Which read the history must record so that this one can be answered: its key and query. `isItself`: it is this read,
 * and its answer can be recorded as it is.
 */
export function keptRead({ path, query, caller }: FaultyRead): {
  readonly key: string;
  readonly query: string;
  readonly isItself: boolean;
} {
  const isItself = !CHANGING_LISTS.has(path);
  const fields = new URLSearchParams(query);
  if (!isItself) {
    for (const bound of ['start', 'end']) fields.delete(bound);
    fields.set('limit', String(ALL));
  }
  fields.sort();
  const kept = fields.toString();
  return { key: `${caller} ${path}?${kept}`, query: kept, isItself };
}

/** Whether the past of this read is only known if it was recorded. */
export function needsHistory({ path }: { readonly path: string }): boolean {
  return !GROWING_LISTS.has(path) && path !== '/time';
}

/** Changes the venue's true answer `now` as these faults demand. Changes good answers only: a refusal has no past. */
export function faultyRead(
  request: FaultyRead,
  now: VenueAnswer,
  faults: readonly SeededContentFault[],
  { door, history }: { readonly door: ReadDoor; readonly history: AnswerHistory },
): VenueAnswer {
  let asOf = request.time;
  let lateMs = 0;
  for (const { fault } of faults) {
    if (fault.kind === 'stale-read') asOf = Math.min(asOf, request.time - (fault.ageMs?.[0] ?? 0));
    if (fault.kind === 'late-visibility') lateMs = Math.max(lateMs, fault.delayMs[0]);
  }
  const isBehind = now.status === 200 && asOf - lateMs < request.time;
  const past = isBehind ? pastAnswer(request, now, { asOf, newest: asOf - lateMs }, door, history) : now;
  return alteredAnswer(past, faults);
}

/** Applies faults of records to the result inside an answer's envelope. */
export function alteredAnswer(answer: VenueAnswer, faults: readonly SeededContentFault[]): VenueAnswer {
  return withResult(answer, (result) => alteredResult(result, faults));
}

/** What a read shows: the state as of `asOf`, without the rows that are newer than `newest`; both venue ms. */
interface Seen {
  readonly asOf: number;
  readonly newest: number;
}

function pastAnswer(
  request: FaultyRead,
  now: VenueAnswer,
  { asOf, newest }: Seen,
  door: ReadDoor,
  history: AnswerHistory,
): VenueAnswer {
  const { path, query, time } = request;
  if (GROWING_LISTS.has(path)) return door.read(path, upTo(query, newest));
  if (path === '/order') {
    const id = new URLSearchParams(query).get('id') ?? '';
    if ((door.acceptedAt(id) ?? newest) > newest) return door.read(path, unknownOrder(query, id));
  }
  const kept = keptRead(request);
  const isBounded = CHANGING_LISTS.has(path);
  const then =
    (asOf < time ? history.asOf(kept.key, asOf) : isBounded ? door.read(path, kept.query) : undefined) ?? now;
  const isHidden = (row: JsonRecord) => appearedAt(row, door) > newest;
  return withResult(then, (result) => {
    const visible = withoutRows(result, isHidden);
    return isBounded ? bounded(visible, withoutRows(resultOf(now), isHidden), query) : visible;
  });
}

/**
 * When a row first appeared: its own time, or for an order the time of its acceptance, as its own time moves with its
 * fills.
 */
function appearedAt(row: JsonRecord, door: ReadDoor): number {
  const { id, time } = row;
  const accepted = typeof id === 'string' && Object.hasOwn(row, 'qty_orig') ? door.acceptedAt(id) : undefined;
  return accepted ?? (typeof time === 'number' ? time : Number.NEGATIVE_INFINITY);
}

/** The query with an `end` of at most `time`. A list's unreadable `end` stays, so that the venue refuses it. */
function upTo(query: string, time: number): string {
  const fields = new URLSearchParams(query);
  const end = fields.get('end');
  if (end === null || Number(end) > time) fields.set('end', String(Math.max(0, time)));
  return fields.toString();
}

function unknownOrder(query: string, id: string): string {
  const fields = new URLSearchParams(query);
  fields.set('id', `unseen-${id}`);
  return fields.toString();
}

/**
 * The rows of a whole list within the query's bounds. The venue may have cut the whole list at its maximum. The rows
 * behind that end are taken from the current bounded list: they are old enough not to have changed.
 */
function bounded(whole: Json, now: Json, query: string): Json {
  const rows = whole as readonly JsonRecord[];
  const fields = new URLSearchParams(query);
  const start = Number(fields.get('start') ?? 0);
  const end = Number(fields.get('end') ?? Number.POSITIVE_INFINITY);
  const oldest = Number(rows.at(-1)?.['time'] ?? Number.NEGATIVE_INFINITY);
  const inside = rows.filter(({ time }) => Number(time) >= start && Number(time) <= end);
  // The cut may part the rows of one millisecond.
  const known = new Set(rows.map(({ id }) => id));
  const behind = (now as readonly JsonRecord[]).filter(
    ({ id, time }) => Number(time) <= oldest && !known.has(id as Json),
  );
  return [...inside, ...behind].slice(0, Number(fields.get('limit') ?? DEFAULT_LIMIT));
}

function resultOf({ body }: VenueAnswer): Json {
  return (JSON.parse(body) as { readonly result: Json }).result;
}

function withResult(answer: VenueAnswer, change: (result: Json) => Json): VenueAnswer {
  if (answer.status !== 200) return answer;
  const envelope = JSON.parse(answer.body) as { readonly result: Json };
  const result = change(envelope.result);
  return result === envelope.result ? answer : { ...answer, body: JSON.stringify({ ...envelope, result }) };
}
