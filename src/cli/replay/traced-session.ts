/** Recomputes a recorded live session up to a moment, and observes it. */
import { basename } from 'node:path';
import type { Market } from '../../model/market.js';
import type { IntentId } from '../../model/order.js';
import { replay, type SessionState } from '../../runner/black-box/replay.js';
import { SessionTrace } from '../../session/session-trace.js';
import { blackBoxFolders } from '../../storage/capture/black-box-layout.js';
import { readBlackBox } from '../../storage/capture/black-box-reader.js';
import { Fields } from '../../storage/json-fields.js';
import type { Machine } from '../machine.js';
import { eventLoopDrain } from '../certify/certify.js';
import { openBlackBox } from './recorded-session.js';
import { loadStrategy } from '../strategy/strategy.js';

export interface TracedSession {
  readonly session: string;
  readonly strategy: string;
  readonly market: Market;
  readonly trace: SessionTrace;
  /** Wall clock of the first and the last recomputed turn, ms. */
  readonly from: number;
  readonly to: number;
  /** State at the end; `undefined` if nothing had happened yet. */
  readonly state: SessionState | undefined;
  /**
   * `orderly`: the session ended before that · `killed`: its recording ended before that, without a footer · `stopped`:
   * the moment was reached
   */
  readonly end: 'orderly' | 'killed' | 'stopped';
  /** Why the recomputation differs from the session; `undefined` if it does not. */
  readonly problem: string | undefined;
}

export interface TraceUntil {
  /** Stops at this time, ms of the session's wall clock. */
  readonly wall?: number | undefined;
  /** Records this order, and stops some time after it. */
  readonly intentId?: IntentId | undefined;
}

/** For how long after its sending an order is followed here, ms; its later story is in the journal. */
const AFTER_ORDER_MS = 60_000;

/** @throws UsageError when the recording has no beginning, or when there is no such strategy */
export async function traceSession(
  machine: Machine,
  directory: string,
  { wall = Number.POSITIVE_INFINITY, intentId }: TraceUntil,
): Promise<TracedSession> {
  const recorded = await openBlackBox(machine.files, directory);
  const { file, params, sha256, name } = recorded.strategy;
  const strategy = await loadStrategy(machine, file, params);
  const plan = recorded.planWith(strategy.bound);
  let trace = new SessionTrace(() => undefined);
  let from: number | undefined;
  let to = 0;
  let until = wall;
  const result = await replay({
    plan,
    books: recorded.books,
    parts: recorded.parts(),
    drain: eventLoopDrain(machine.timers),
    trace: (core) => (trace = new SessionTrace(core, (id) => id === intentId)),
    stopAt(next) {
      if (intentId !== undefined && until === wall && trace.kept(intentId) !== undefined) {
        until = Math.min(wall, to + AFTER_ORDER_MS);
      }
      if (next.wall > until) return true;
      from ??= next.wall;
      to = next.wall;
      return false;
    },
  }).catch((error: unknown) => {
    throw strategy.explain(error);
  });
  const { firstDifference } = result;
  return {
    session: recorded.session,
    strategy: name,
    market: plan.market,
    trace,
    from: from ?? 0,
    to,
    state: result.last?.session,
    end: result.end,
    problem:
      strategy.sha256 !== sha256
        ? `${file} is no longer what the session ran`
        : firstDifference === undefined
          ? undefined
          : `it cannot be computed again from event ${firstDifference.event} on: another ${firstDifference.kind} (${firstDifference.where})`,
  };
}

export interface RecordedSpan {
  readonly directory: string;
  readonly session: string;
  /** Wall clock of the first existing turn, ms. */
  readonly from: number;
  /** Why the session cannot be recomputed: its beginning is missing. Absent if it can. */
  readonly problem?: string;
}

/** The recorded sessions in a folder, by their beginnings, without those that have no readable turn. */
export async function recordedSpans(machine: Machine, capture: string): Promise<readonly RecordedSpan[]> {
  const spans: RecordedSpan[] = [];
  for (const directory of await blackBoxFolders(machine.files, capture)) {
    try {
      const from = await recordedFrom(machine, directory);
      if (from === undefined) continue;
      const problem = await problemOf(machine, directory);
      const span = { directory, session: basename(directory), from };
      spans.push(problem === undefined ? span : { ...span, problem });
    } catch {
      // The recording is completely unreadable.
    }
  }
  return spans.sort((a, b) => a.from - b.from);
}

/** When a session begins; `undefined` if it has no turn. */
async function recordedFrom({ files }: Machine, directory: string): Promise<number | undefined> {
  for await (const part of readBlackBox(files, directory)) {
    if (part.kind !== 'line') return undefined;
    const fields = new Fields(JSON.parse(part.text), part.where);
    if (fields.has('turn')) return fields.number('wall');
  }
  return undefined;
}

async function problemOf({ files }: Machine, directory: string): Promise<string | undefined> {
  try {
    await openBlackBox(files, directory);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
