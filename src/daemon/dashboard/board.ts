/**
 * Everything that the page knows, as one immutable value; each message makes the next. Times `at` are the page's own, ms.
 */
import type { DaemonEvent, DaemonStatus, RecentKind } from '../daemon-api.js';

export type EventOf<Kind extends DaemonEvent['kind']> = Extract<DaemonEvent, { readonly kind: Kind }>;

/** An event that changed the daemon's state or what it may do. */
export type Happening = EventOf<'pair-state' | 'halt' | 'resume' | 'venue' | 'strategy-failed' | 'problem'>;

/** The connection to the daemon. `over`: the login has ended, and only a new link of `tickwright open` helps. */
export interface Link {
  readonly state: 'connecting' | 'open' | 'lost' | 'over';
  readonly reason: string;
  /** When the connection entered this state. */
  readonly at: number;
  /** When the next attempt is due, while the state is `lost`. */
  readonly nextAt: number | undefined;
}

/** What this page may do. */
export interface Access {
  readonly scope: 'read' | 'control';
  /** Must be sent with every change. */
  readonly csrf: string | undefined;
}

export interface Board {
  readonly link: Link;
  readonly access: Access;
  readonly status: DaemonStatus | undefined;
  /** The time at which the figures of `status` were true. */
  readonly factsAt: number | undefined;
  /** Newest last; each list is bounded by `MOST`. */
  readonly fills: readonly EventOf<'fill'>[];
  readonly logs: readonly EventOf<'log'>[];
  readonly refusals: readonly EventOf<'refusal'>[];
  readonly happenings: readonly Happening[];
  readonly equity: ReadonlyMap<string, readonly EventOf<'equity'>[]>;
}

export type BoardMessage =
  /** `silentMs`: for how long the engine had been silent when this was sent. */
  | { readonly kind: 'status'; readonly status: DaemonStatus; readonly at: number; readonly silentMs: number }
  | { readonly kind: 'event'; readonly event: DaemonEvent }
  /** All events of a kind that the daemon still keeps, oldest first. */
  | { readonly kind: 'recent'; readonly of: RecentKind; readonly events: readonly DaemonEvent[] }
  | { readonly kind: 'link'; readonly link: Link }
  | { readonly kind: 'access'; readonly access: Access };

export const MOST = { fill: 500, log: 300, refusal: 200, happening: 100, equity: 8_640, assets: 16 } as const;

export function emptyBoard(at: number): Board {
  return {
    link: { state: 'connecting', reason: 'the page was just opened', at, nextAt: undefined },
    access: { scope: 'read', csrf: undefined },
    status: undefined,
    factsAt: undefined,
    fills: [],
    logs: [],
    refusals: [],
    happenings: [],
    equity: new Map(),
  };
}

export function nextBoard(board: Board, message: BoardMessage): Board {
  switch (message.kind) {
    case 'status': {
      const factsAt = message.at - message.silentMs;
      // The last status of a hung engine arrives again and again; its figures do not become newer by that.
      const isRepeat = message.status.state === 'hung' && board.factsAt !== undefined;
      const kept = isRepeat ? Math.min(board.factsAt, factsAt) : factsAt;
      return { ...board, status: message.status, factsAt: kept };
    }
    case 'event':
      return withEvent(board, message.event);
    case 'recent':
      return withRecent(board, message.of, message.events);
    case 'link':
      return { ...board, link: message.link };
    case 'access':
      return { ...board, access: message.access };
  }
}

function withEvent(board: Board, event: DaemonEvent): Board {
  switch (event.kind) {
    case 'fill':
      return { ...board, fills: appended(board.fills, event, MOST.fill) };
    case 'log':
      return { ...board, logs: appended(board.logs, event, MOST.log) };
    case 'refusal':
      return { ...board, refusals: appended(board.refusals, event, MOST.refusal) };
    case 'equity': {
      const known = board.equity.get(event.asset);
      if (known === undefined && board.equity.size >= MOST.assets) return board;
      const line = appended(known ?? [], event, MOST.equity);
      return { ...board, equity: new Map(board.equity).set(event.asset, line) };
    }
    case 'pair-state':
    case 'halt':
    case 'resume':
    case 'venue':
    case 'strategy-failed':
    case 'problem':
      return { ...board, happenings: appended(board.happenings, event, MOST.happening) };
  }
}

/** Replaces the known events of the kind, and keeps those that arrived while the answer was under way. */
function withRecent(board: Board, of: RecentKind, events: readonly DaemonEvent[]): Board {
  switch (of) {
    case 'fill':
      return { ...board, fills: joined(ofKind(events, 'fill'), board.fills, MOST.fill) };
    case 'log':
      return { ...board, logs: joined(ofKind(events, 'log'), board.logs, MOST.log) };
    case 'refusal':
      return { ...board, refusals: joined(ofKind(events, 'refusal'), board.refusals, MOST.refusal) };
    case 'change':
      return { ...board, happenings: joined(events.filter(isHappening), board.happenings, MOST.happening) };
    case 'equity': {
      const equity = new Map<string, readonly EventOf<'equity'>[]>();
      const points = ofKind(events, 'equity');
      for (const asset of new Set([...points.map((point) => point.asset), ...board.equity.keys()])) {
        if (equity.size >= MOST.assets) break;
        const line = points.filter((point) => point.asset === asset);
        equity.set(asset, joined(line, board.equity.get(asset) ?? [], MOST.equity));
      }
      return { ...board, equity };
    }
  }
}

function isHappening(event: DaemonEvent): event is Happening {
  const { kind } = event;
  return kind !== 'fill' && kind !== 'log' && kind !== 'equity' && kind !== 'refusal';
}

function ofKind<Kind extends DaemonEvent['kind']>(
  events: readonly DaemonEvent[],
  kind: Kind,
): EventOf<Kind>[] {
  return events.filter((event): event is EventOf<Kind> => event.kind === kind);
}

/** `known` is complete up to its end, so of `live` only later events are new. Several events may have the same time. */
function joined<Event extends { readonly time: number }>(
  known: readonly Event[],
  live: readonly Event[],
  most: number,
): readonly Event[] {
  const end = known.at(-1)?.time;
  if (end === undefined) return live;
  const atEnd = new Set(known.filter(({ time }) => time === end).map((event) => JSON.stringify(event)));
  const later = live.filter(
    (event) => event.time > end || (event.time === end && !atEnd.has(JSON.stringify(event))),
  );
  return [...known, ...later].slice(-most);
}

function appended<Event>(list: readonly Event[], event: Event, most: number): readonly Event[] {
  return list.length < most ? [...list, event] : [...list.slice(1 - most), event];
}
