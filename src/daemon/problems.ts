import { counted } from '../model/counted.js';
import { type StartedWith, wayOut } from './attach-command.js';
import type { HaltStatus, PairStatus } from './daemon-api.js';
import type { OpenOrderText } from '../runner/session-gateway.js';
import { longestSilence } from './silence.js';

/** A venue that answers no poll of the trades for this long is a problem, unless its polls are rare; ms. */
export const SILENT_MS = 30_000;

/** Polls are answered, and yet time does not pass for the session. */
export const STANDS_STILL =
  'bars and timers stand still: neither a trade nor a later time comes from the venue';

export const LOSS_REACHED = 'the loss of the day reached limits.maxDailyLoss';

export const BARE_TOO_LONG = 'the position had no stop at the venue for as long as limits.maxBareTime allows';

/** What a person should look at, in plain words, the worst first; empty while all is well. */
export function problemTexts({
  halted,
  unhalted,
  unwritten,
  pairs,
  foreign,
  memory,
  startedWith,
}: {
  readonly halted: HaltStatus | undefined;
  /** Pairs that trade in spite of the halt. */
  readonly unhalted: readonly string[];
  /** Why the next start may not know of the halt. */
  readonly unwritten: string | undefined;
  readonly pairs: readonly PairStatus[];
  /** Texts about others who trade on the account. */
  readonly foreign: readonly string[];
  readonly memory: { readonly rssBytes: number; readonly ceilingBytes?: number };
  readonly startedWith: StartedWith;
}): readonly string[] {
  return [
    ...(halted === undefined ? [] : [haltText(halted, unhalted)]),
    ...(unwritten === undefined ? [] : [unwritten]),
    // People read only the first problems, so one kind of problem of all pairs comes before the next kind.
    ...pairs.flatMap((pair) => endedTexts(pair, startedWith)),
    ...pairs.flatMap(leftTexts),
    ...pairs.flatMap(bareTexts),
    ...pairs.flatMap(unsureTexts),
    ...pairs.flatMap(boundTexts),
    ...foreign,
    ...pairs.flatMap(unrecordedTexts),
    ...(memory.rssBytes > 0.9 * (memory.ceilingBytes ?? Number.POSITIVE_INFINITY)
      ? ['memory is within a tenth of its ceiling']
      : []),
  ];
}

/** Problems that only a person can end. */
function endedTexts(status: PairStatus, given: StartedWith): readonly string[] {
  const { pair, failure, state, reason, running } = status;
  if (failure !== undefined) return [failureText(pair, failure)];
  if (state === 'QUARANTINED') return [quarantineText(status, given)];
  return running ? [] : [`${pair}: ${reason}`];
}

/** Orders without a strategy. What only the journal says of a pair is not compared with the venue, and no such problem. */
function leftTexts({ pair, failure, orders = [], source }: PairStatus): readonly string[] {
  return failure === undefined || orders.length === 0 || source === 'journal' ? [] : [leftText(pair, orders)];
}

/** A position that should be closed and is not. */
function bareTexts({ pair, running, bare }: PairStatus): readonly string[] {
  return running && bare !== undefined ? [`${pair}: ${bare}`] : [];
}

/** Problems in which the state at the venue is not certain. */
function unsureTexts({
  pair,
  running,
  state,
  reason,
  doubt = 0,
  pollAgeMs = 0,
  timeAgeMs = 0,
  pollMs,
}: PairStatus): readonly string[] {
  const longest = longestSilence(SILENT_MS, pollMs);
  return [
    ...(running && state !== 'SYNCED' && state !== 'QUARANTINED' ? [`${pair} is ${state}: ${reason}`] : []),
    ...(doubt > 0 ? [`${pair}: ${counted(doubt, 'order')} in doubt`] : []),
    ...(running && pollAgeMs > longest
      ? [`${pair}: no poll was answered for ${Math.round(pollAgeMs / 1_000)} s`]
      : running && timeAgeMs > longest
        ? [`${pair}: ${STANDS_STILL}, for ${Math.round(timeAgeMs / 1_000)} s`]
        : []),
  ];
}

/** Why the pair does less than its strategy wants, or counts a position that differs from the one held. */
function boundTexts(status: PairStatus): readonly string[] {
  const { pair, running, state, permission, reason, ownPosition, ordersWait, riskPause, noRiskBefore } =
    status;
  return [
    ...(running && state === 'SYNCED' && permission !== 'all'
      ? [`${pair}: no order adds risk: ${reason}`]
      : []),
    ...(running && ordersWait !== undefined ? [`${pair}: orders wait: ${ordersWait}`] : []),
    ...(running && riskPause !== undefined ? [`${pair}: ${riskPause}`] : []),
    ...(running && noRiskBefore !== undefined
      ? [`${pair}: no order adds risk before ${noRiskBefore}: ${LOSS_REACHED}`]
      : []),
    ...(ownPosition === undefined ? [] : [untoldText(status)]),
  ];
}

/** What trades on, but cannot be looked into afterwards. */
function unrecordedTexts({ pair, running, unrecorded }: PairStatus): readonly string[] {
  if (!running || unrecorded === undefined) return [];
  return [
    `${pair}: its capture has stopped (${unrecorded}): it trades on, parity and replay know only what came before; ` +
      'only a new start captures again',
  ];
}

/**
 * A running strategy is told of all own fills, so a difference comes from others. After its end it may miss own fills
 * too.
 */
function untoldText({ pair, running, position = '?', ownPosition = '?' }: PairStatus): string {
  return running
    ? `${pair}: P&L and limits count ${ownPosition}, and ${position} is held: others traded`
    : `${pair}: P&L counts ${ownPosition}, and ${position} is held: the strategy was not told of the fills between`;
}

/** A latched halt in words. `unhalted`: pairs that trade in spite of it. */
export function haltText({ level, by, reason }: HaltStatus, unhalted: readonly string[] = []): string {
  const others = unhalted.length === 0 ? '' : `; not halted: ${unhalted.join(', ')}`;
  return `halted (${level}) by ${by}: ${reason}${others}`;
}

/** Names the commands that end it, because only a person can. */
export function quarantineText(
  { pair, reason }: Pick<PairStatus, 'pair' | 'reason'>,
  given: StartedWith,
): string {
  return `${pair} is QUARANTINED: ${reason} → ${wayOut(pair, given).join('; ')}`;
}

/** Of a strategy that was stopped. */
export function leftText(pair: string, orders: readonly OpenOrderText[]): string {
  return `${pair}: orders of the stopped strategy may still be at the venue: ${orders.join(', ')}`;
}

/** What ends `leftText`. */
export function goneText(pair: string): string {
  return `${pair}: no order of the stopped strategy is at the venue any more`;
}

/** Of a pair whose strategy failed. */
export function failureText(pair: string, failure: string): string {
  return `${pair}: the strategy is stopped: ${failure}`;
}
