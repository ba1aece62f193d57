/** What a session does to the outside world (requests, journal records, decisions), as text that can be compared. */
import type { Approved, Refusal, Supersession } from '../../model/command.js';
import type { JournalRecord } from '../../model/journal-record.js';
import type { OrderTerms } from '../../model/order.js';
import type { Durability } from '../../ports/bot-journal.js';
import type { HttpRequest } from '../../ports/http.js';
import { type CapturedDecision, decisionText } from '../../storage/capture/decision-codec.js';
import { encodeJournalRecord } from '../../storage/journal/journal-encoder.js';
import { type Deed, deedKind } from './turn.js';

/** Without headers, which hold the key and the signature, and without the host: a session talks to one venue only. */
export function requestDeed(number: number, request: HttpRequest): Deed {
  const { method, body, lane } = request;
  return JSON.stringify({ request: number, method, path: pathOf(request), body, lane });
}

/** `failed`: why the record could not be written; `undefined`: it was. */
export function recordDeed(record: JournalRecord, durability: Durability, failed?: string): Deed {
  const end = failed === undefined ? '' : `,"failed":${JSON.stringify(failed)}`;
  return `{"record":${encodeJournalRecord(record)},"durability":"${durability}"${end}}`;
}

export function decisionDeed(
  input: number,
  commands: readonly Approved[],
  refusals: readonly Refusal[],
  superseded: readonly Supersession[],
): Deed {
  return `{"decision":${input},${decisionText({ commands, refusals, superseded }).slice(1)}`;
}

/** What a deed decided, in brief; `undefined` for another kind of deed. */
export function decidedBy(deed: Deed): DecidedInBrief | undefined {
  if (deedKind(deed) !== 'decision') return undefined;
  const { commands, refusals } = JSON.parse(deed) as CapturedDecision;
  const places = commands.filter((command) => command.kind === 'place').map(({ terms }) => terms);
  return { places, cancels: commands.length - places.length, refusals: refusals.length };
}

export interface DecidedInBrief {
  readonly places: readonly Pick<OrderTerms, 'side' | 'lots'>[];
  readonly cancels: number;
  readonly refusals: number;
}

/** Path and query of a request. */
export function pathOf({ url }: Pick<HttpRequest, 'url'>): string {
  const host = url.indexOf('//') + 2;
  const path = url.indexOf('/', host);
  return path < 0 ? '/' : url.slice(path);
}
