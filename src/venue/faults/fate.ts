import type { ContentFault, FaultEffect, WayFault } from '../../model/fault-rule.js';
import { type FaultRequest, isRead } from './fault-request.js';

/**
 * What happens to one request: when it takes effect, and what its client gets. Sockets and the simulated network obey
 * it.
 */
export interface Fate {
  /** When the request takes effect, venue ms after its arrival, ascending; empty: it never does. */
  readonly executions: readonly number[];
  readonly reply: Reply;
  /** How long the reply is held back after it is ready, real ms. */
  readonly delayMs: number;
  /** The faults of the records in the venue's own answer, in the order in which they apply. */
  readonly content: readonly SeededContentFault[];
  /** How far the clock that the client sees is ahead of the venue's, ms; negative: behind. */
  readonly skewMs: number;
}

export type Reply =
  /** The venue's own answer to the execution with this index, ready when that has happened. */
  | { readonly kind: 'own'; readonly execution: number; readonly form: AnswerForm }
  /** All other replies are ready at once, after the executions on arrival. */
  | { readonly kind: 'unavailable'; readonly msg: string }
  | { readonly kind: 'throttled'; readonly waitMs: number }
  | { readonly kind: 'page'; readonly status: number; readonly location: string | undefined }
  /** No reply; the connection stays open. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'reset' };

/** How the bytes of an answer are sent. */
export type AnswerForm =
  | { readonly kind: 'whole' }
  | { readonly kind: 'truncated'; readonly keep: number; readonly framing: 'broken' | 'whole' }
  | { readonly kind: 'trickle'; readonly bytes: number; readonly everyMs: number }
  | { readonly kind: 'padded'; readonly bytes: number };

export interface SeededContentFault {
  readonly fault: ContentFault;
  readonly seed: string;
}

const WHOLE: AnswerForm = { kind: 'whole' };

interface Way {
  readonly executions: readonly number[];
  readonly reply: Reply;
}

const UNTOUCHED: Way = { executions: [0], reply: { kind: 'own', execution: 0, form: WHOLE } };

/** For each strike on a request, in the order of the plan, whether it has any effect. */
export function appliedTo(request: FaultRequest, effects: readonly FaultEffect[]): readonly boolean[] {
  const first = effects.findIndex(isWayFault);
  const fault = effects[first];
  const { executions, reply } = fault !== undefined && isWayFault(fault) ? wayOf(fault) : UNTOUCHED;
  return effects.map((effect, index) => {
    if (isWayFault(effect)) return index === first;
    switch (effect.kind) {
      case 'duplicate-execution':
        return executions.length > 0;
      case 'delay':
        return reply.kind !== 'nothing';
      case 'clock-skew':
        return reply.kind !== 'nothing' && reply.kind !== 'reset';
      case 'stale-read':
      case 'late-visibility':
        return reply.kind === 'own' && isRead(request);
      default:
        return reply.kind === 'own';
    }
  });
}

/** The fate of a request from the strikes that `appliedTo` left in effect; `undefined` without any. */
export function fateOf(
  strikes: readonly { readonly effect: FaultEffect; readonly seed: string }[],
): Fate | undefined {
  if (strikes.length === 0) return undefined;
  const way = strikes.map(({ effect }) => effect).find(isWayFault);
  let { executions, reply } = way === undefined ? UNTOUCHED : wayOf(way);
  let delayMs = 0;
  let skewMs = 0;
  const content: SeededContentFault[] = [];
  for (const { effect, seed } of strikes) {
    if (isWayFault(effect)) continue;
    switch (effect.kind) {
      case 'duplicate-execution': {
        const last = executions.at(-1) ?? 0;
        const more = Array.from({ length: effect.copies }, (_, i) => last + (i + 1) * effect.gapMs[0]);
        executions = [...executions, ...more];
        if (reply.kind === 'own' && effect.answer === 'last') {
          reply = { ...reply, execution: executions.length - 1 };
        }
        break;
      }
      case 'delay':
        delayMs += effect.delayMs[0];
        break;
      case 'clock-skew':
        skewMs += effect.offsetMs;
        break;
      default:
        content.push({ fault: effect, seed });
    }
  }
  return { executions, reply, delayMs, content, skewMs };
}

function isWayFault(effect: FaultEffect): effect is WayFault {
  switch (effect.kind) {
    case 'duplicate-execution':
    case 'delay':
    case 'clock-skew':
    case 'stale-read':
    case 'late-visibility':
    case 'reordered-rows':
    case 'duplicated-rows':
    case 'unknown-status':
    case 'altered-field':
      return false;
    default:
      return true;
  }
}

function wayOf(fault: WayFault): Way {
  const own = (form: AnswerForm): Way => ({ executions: [0], reply: { kind: 'own', execution: 0, form } });
  switch (fault.kind) {
    case 'lost-request':
    // A strike replaces outages and freezes by what they do to the request; without an end, that is this.
    case 'freeze':
    case 'outage':
      return { executions: [], reply: { kind: 'nothing' } };
    case 'lost-response':
      return { executions: [0], reply: { kind: 'nothing' } };
    case 'unavailable':
      return { executions: whether(fault.executed), reply: { kind: 'unavailable', msg: fault.msg } };
    case 'gateway-page': {
      const { executed, status, location } = fault;
      return { executions: whether(executed), reply: { kind: 'page', status, location } };
    }
    case 'reset':
      return { executions: whether(fault.executed), reply: { kind: 'reset' } };
    case 'throttle':
      return { executions: [], reply: { kind: 'throttled', waitMs: fault.waitMs } };
    case 'late-execution':
      return { executions: [fault.delayMs[0]], reply: meanwhile(fault) };
    case 'truncated':
      return own({ kind: 'truncated', keep: fault.keep, framing: fault.framing });
    case 'trickle':
      return own({ kind: 'trickle', bytes: fault.bytes, everyMs: fault.everyMs });
    case 'huge-answer':
      return own({ kind: 'padded', bytes: fault.bytes });
  }
}

function whether(executed: boolean): readonly number[] {
  return executed ? [0] : [];
}

function meanwhile({ answer, msg }: Extract<WayFault, { kind: 'late-execution' }>): Reply {
  switch (answer) {
    case 'none':
      return { kind: 'nothing' };
    case 'unavailable':
      return { kind: 'unavailable', msg };
    case 'gateway-page':
      return { kind: 'page', status: 504, location: undefined };
    case 'reset':
      return { kind: 'reset' };
    case 'own':
      return { kind: 'own', execution: 0, form: WHOLE };
  }
}
