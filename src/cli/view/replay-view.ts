/** Shows the results of `replay` and `parity` for a recorded live session. */
import { counted } from '../../model/counted.js';
import { textOf } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { causeText } from '../../runner/black-box/turn.js';
import type { ReplayDifference } from '../../runner/black-box/replay.js';
import type { NamedDifference, SessionReplay } from '../replay/replay.js';
import { momentText } from './moment.js';

const MOST_TEXT = 400;

/** The keys of `cli.md`, and what was executed. */
export function replayJson(result: SessionReplay): object {
  const { events, identical, firstDifference, end, requests, records, decisions, last } = result;
  const { market } = result;
  const { session, engine, strategy } = result.recorded;
  return {
    events,
    identical,
    ...(firstDifference === undefined ? {} : { firstDifference }),
    end,
    requests,
    records,
    decisions,
    wantsHash: result.wantsHash,
    decisionHash: result.decisionHash,
    session,
    engine,
    strategy: strategy.name,
    ...(last === undefined ? {} : { at: placeJson(last, market) }),
  };
}

function placeJson({ turn, session }: NonNullable<SessionReplay['last']>, market: Market): object {
  const { position, ...rest } = session;
  const held = position === undefined ? {} : { position: textOf(market.quantityGrid, position) };
  return { event: turn.number, wall: turn.wall, ...held, ...rest };
}

export function replayText(result: SessionReplay): string {
  const { events, requests, records, decisions, firstDifference, decisionHash, otherEngine } = result;
  const version =
    otherEngine === undefined
      ? []
      : [`recorded by version ${result.recorded.engine}, executed by ${otherEngine}`];
  if (firstDifference !== undefined) return [...version, ...differenceLines(firstDifference)].join('\n');
  const end =
    result.end === 'killed'
      ? ['the recording ends before its session did: it was killed, or is still running']
      : [];
  return [
    ...version,
    `${counted(events, 'event')}: identical, with ${counted(requests, 'request')}, ${counted(records, 'journal record')} and ${counted(decisions, 'decision')}`,
    ...end,
    `decision hash ${decisionHash ?? 'none'}`,
  ].join('\n');
}

/** The state of the session after the last event, and what it had just done. */
export function placeText({ last, market, recorded: { session } }: SessionReplay): string {
  if (last === undefined) return `${session} has no event`;
  const { turn } = last;
  const { position, state, reason, openOrders } = last.session;
  return [
    `event ${turn.number} of ${session} at ${momentText(turn.wall)}: ${causeText(turn)}`,
    ...turn.did.map((deed) => `  did        ${short(JSON.parse(deed))}`),
    `  state      ${state ?? 'not known yet'}${reason === undefined || reason === '' ? '' : `: ${reason}`}`,
    `  position   ${position === undefined ? 'not known yet' : textOf(market.quantityGrid, position)}`,
    `  orders     ${openOrders.length === 0 ? 'none' : openOrders.join(', ')}`,
  ].join('\n');
}

function differenceLines(difference: NamedDifference): string[] {
  const { consequence } = difference;
  const more = consequence === undefined ? [] : ['and so:', ...differenceLines(consequence)];
  return [headline(difference), ...sides(difference), ...more];
}

function headline({ kind, event, cause, where }: ReplayDifference): string {
  if (kind === 'strategy') return `NOT identical: the strategy ${where} is no longer what the session ran`;
  if (kind === 'damage') return `NOT identical: from event ${event} on the recording was changed (${where})`;
  return `NOT identical: event ${event}${cause === undefined ? '' : ` (${cause})`}, another ${kind}, ${where}`;
}

function sides({ recorded, recomputed }: ReplayDifference): string[] {
  return [`  recorded    ${short(recorded)}`, `  recomputed  ${short(recomputed)}`];
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}
