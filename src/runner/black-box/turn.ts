/**
 * A session as a black box sees it: a sequence of turns. A turn begins with one thing from outside (a timer fires, an answer
 * arrives, a person commands) and holds everything that follows from it, at one reading of the clocks.
 */
import type { AccountShare } from '../../model/event.js';
import type { EndOfOrders } from '../session-gateway.js';
import type { HaltLevel } from '../../model/journal-record.js';
import type { HttpFailure, HttpResponse } from '../../ports/http.js';

export interface Turn {
  /** From 1. */
  readonly number: number;
  /** Wall clock, ms since the epoch. */
  readonly wall: number;
  /** Monotonic clock, ms from an arbitrary origin. */
  readonly monotonic: number;
  readonly cause: Cause;
  /** Why the journal cannot be written, in the first turn that knows it; absent otherwise. */
  readonly journalFailed?: string | undefined;
  /** What the session did, in order, each as one JSON object. */
  readonly did: readonly Deed[];
  /** Number of timers that the session has set from its beginning to the end of this turn. */
  readonly timers: number;
  /** Number of inputs of its engine, from its beginning to the end of this turn. */
  readonly inputs: number;
}

export type Cause =
  | { readonly kind: 'start' }
  /** `timer`, `request`: numbers in the order in which the session made them, from 1. */
  | { readonly kind: 'timer'; readonly timer: number }
  /** The connection that the request waited for stands: the session is asked whether the request may still leave. */
  | { readonly kind: 'connected'; readonly request: number }
  | ({ readonly kind: 'answer'; readonly request: number } & HttpResponse)
  | {
      readonly kind: 'failure';
      readonly request: number;
      readonly reason: HttpFailure['reason'];
      readonly sent: boolean;
      readonly message: string;
    }
  | { readonly kind: 'command'; readonly command: OperatorCommand };

/** A command to a session from outside. */
export type OperatorCommand =
  | { readonly kind: 'halt'; readonly level: HaltLevel; readonly reason: string; readonly by: string }
  | ({ readonly kind: 'others' } & AccountShare)
  | { readonly kind: 'resume'; readonly reason: string; readonly by: string }
  /** Forbids orders that add risk; `undefined` permits them again. */
  | { readonly kind: 'block'; readonly reason: string | undefined }
  /** Ends a start that still waits. */
  | { readonly kind: 'abandon'; readonly deadlineMs: number; readonly orders: EndOfOrders }
  | { readonly kind: 'stop'; readonly deadlineMs: number; readonly orders?: EndOfOrders | undefined };

/** JSON of a request, a journal record or a decision; its first key says which. */
export type Deed = string;

export type DeedKind = 'request' | 'record' | 'decision';

export function deedKind(deed: Deed): DeedKind {
  if (deed.startsWith('{"request":')) return 'request';
  return deed.startsWith('{"record":') ? 'record' : 'decision';
}

/** The headers of an answer that a session gets: those that the client reads, and nothing in them that could be a secret. */
export function knownHeaders(
  headers: HttpResponse['headers'],
  scrub: (text: string) => string,
): HttpResponse['headers'] {
  const known: Record<string, string> = {};
  for (const name of ['retry-after', 'location', 'content-encoding']) {
    const value = headers[name];
    if (value === undefined) continue;
    // What follows the path of a redirect may hold a token.
    known[name] = scrub(name === 'location' ? value.replace(/[?#][^]*$/, '') : value);
  }
  return known;
}

/** The cause of a turn in words. */
export function causeText({ cause }: Turn): string {
  switch (cause.kind) {
    case 'start':
      return 'the session begins';
    case 'timer':
      return `timer ${cause.timer} fires`;
    case 'connected':
      return `request ${cause.request} has its connection`;
    case 'answer':
      return `request ${cause.request} is answered with ${cause.status}`;
    case 'failure':
      return `request ${cause.request} fails: ${cause.message}`;
    case 'command':
      return commandText(cause.command);
  }
}

function keeps({ orders }: { readonly orders?: EndOfOrders | undefined }): string {
  return orders === 'keep-stops' ? ', for another session' : '';
}

function commandText(command: OperatorCommand): string {
  switch (command.kind) {
    case 'stop':
      return `stop${keeps(command)}`;
    case 'abandon':
      return `stop, before it began${keeps(command)}`;
    case 'halt':
      return `halt (${command.level}) by ${command.by}: ${command.reason}`;
    case 'others':
      return othersText(command);
    case 'resume':
      return `resume by ${command.by}: ${command.reason}`;
    case 'block':
      return command.reason === undefined ? 'risk is free again' : `no risk: ${command.reason}`;
  }
}

function othersText({ notional, openOrders, pnl, lostUntil, fell }: AccountShare): string {
  const reached = [
    ...(lostUntil === undefined ? [] : [', the loss of the day has reached its bound']),
    ...(fell === true ? [', the fall from the highest has reached its bound'] : []),
  ];
  return `other pairs: ${notional} at most, ${openOrders} orders, P&L ${pnl ?? 'not known'}${reached.join('')}`;
}
