/**
 * Recomputes a recorded live session with other parameters: which orders it would have sent on the recorded events and
 * fills.
 */
import type { Market } from '../../model/market.js';
import {
  DecisionCount,
  type DecisionCounts,
  type DecisionDiff,
  DecisionDiffer,
} from '../../runner/black-box/decision-diff.js';
import { decidedBy } from '../../runner/black-box/deeds.js';
import { type Replay, replay } from '../../runner/black-box/replay.js';
import { WhatIf } from '../../runner/black-box/what-if.js';
import type { EngineEvent } from '../../model/event.js';
import type { LiveBeginning } from '../../runner/live-session.js';
import type { Machine } from '../machine.js';
import type { Settings } from '../option-values.js';
import { openBlackBox, type RecordedSession } from './recorded-session.js';
import { type LoadedStrategy, loadStrategy } from '../strategy/strategy.js';

export interface SessionDiff extends DecisionDiff {
  readonly market: Market;
  /** What the session really decided. */
  readonly recorded: DecisionCounts;
  readonly recordedSession: Pick<RecordedSession, 'session' | 'engine'>;
  readonly strategy: Code;
  /** The strategy that replaced the recorded one; `undefined` if only parameters differ. */
  readonly changedStrategy: Code | undefined;
  /** Parameters with changed values; a value is `undefined` if that strategy has no such parameter. */
  readonly params: readonly {
    readonly name: string;
    readonly recorded: string | undefined;
    readonly changed: string | undefined;
  }[];
  /** Why even the session's own parameters do not reproduce it; `undefined` if they do. */
  readonly notReproduced: string | undefined;
  readonly end: Replay['end'];
}

/** A strategy, by its name and the hash of its code. */
export interface Code {
  readonly name: string;
  readonly sha256: string;
}

/** The most differences that are kept. */
const MOST_ROWS = 1_000;

/** What is to be changed: parameters, or also the strategy's file. */
export interface OtherStrategy {
  readonly set: Settings;
  /**
   * Default: the strategy of the session. Parameters that both strategies have keep the session's values; the others
   * get defaults.
   */
  readonly file?: string | undefined;
}

/** @throws UsageError for an unreadable black box, and when there is no such strategy or parameter. */
export async function diffBlackBox(
  machine: Machine,
  directory: string,
  { set, file: otherFile }: OtherStrategy,
): Promise<SessionDiff> {
  const recorded = await openBlackBox(machine.files, directory);
  const { file, params, given = params, sha256 } = recorded.strategy;
  const strategy = await loadStrategy(machine, file, params);
  const other =
    otherFile === undefined
      ? await loadStrategy(machine, file, { ...params, ...set })
      : await loadInPlaceOf(machine, otherFile, given, set);
  const plan = recorded.planWith(strategy.bound);
  const differ = new DecisionDiffer(MOST_ROWS);
  let failure: { readonly error: unknown } | undefined;
  let hasThrown = false;
  const watch = (beginning: LiveBeginning) => {
    const before = new WhatIf(plan, strategy.bound, beginning);
    const after = begun(beginning);
    return (event: EngineEvent) => {
      if (failure !== undefined || after === undefined || hasThrown) return;
      let was: ReturnType<WhatIf['input']>;
      try {
        was = before.input(event);
      } catch {
        // The recorded session ended with this error as well, so there is nothing further to compare.
        hasThrown = true;
        return;
      }
      try {
        differ.add(event, was, after.input(event));
      } catch (error) {
        // This failure belongs to the changed strategy; the replayed session continues.
        failure = { error };
      }
    };
  };
  /** A strategy that cannot even begin counts as one that throws on its first input. */
  const begun = (beginning: LiveBeginning) => {
    try {
      return new WhatIf(plan, other.bound, beginning);
    } catch (error) {
      failure = { error };
      return undefined;
    }
  };
  const result = await replay({
    plan,
    books: recorded.books,
    parts: recorded.parts(),
    drain: () =>
      new Promise((resolve) => {
        machine.timers.soon(resolve);
      }),
    watch,
  });
  if (failure !== undefined) throw other.explain(failure.error);
  const { firstDifference } = result;
  return {
    ...differ.diff,
    recorded: await countRecorded(
      machine,
      directory,
      firstDifference === undefined ? result.events : Infinity,
    ),
    market: plan.market,
    recordedSession: recorded,
    strategy: codeOf(strategy),
    changedStrategy: otherFile === undefined ? undefined : codeOf(other),
    params: namesOf(strategy.params, other.params, set).map((each) => ({
      name: each,
      recorded: strategy.params[each],
      changed: other.params[each],
    })),
    notReproduced:
      strategy.sha256 !== sha256
        ? `${file} is no longer what the session ran`
        : firstDifference === undefined
          ? undefined
          : `another ${firstDifference.kind} at event ${firstDifference.event} (${firstDifference.where})`,
    end: result.end,
  };
}

/** What the session decided, by its own recording, whatever the strategy would decide today. `turns`: of so many. */
async function countRecorded({ files }: Machine, directory: string, turns: number): Promise<DecisionCounts> {
  const count = new DecisionCount();
  for await (const part of (await openBlackBox(files, directory)).parts()) {
    if (part.kind !== 'turn') continue;
    if (part.turn.number > turns) break;
    for (const deed of part.turn.did) {
      const decided = decidedBy(deed);
      if (decided !== undefined) count.note(decided);
    }
  }
  return count.counts;
}

function codeOf({ bound, sha256 }: LoadedStrategy): Code {
  return { name: bound.name, sha256 };
}

/** Loads a strategy with those of the given parameters that it has. */
export async function loadInPlaceOf(
  machine: Machine,
  file: string,
  given: Readonly<Record<string, string>>,
  set: Settings = {},
): Promise<LoadedStrategy> {
  const { params: taken } = await loadStrategy(machine, file, {});
  const kept = Object.entries(given).filter(([name]) => Object.hasOwn(taken, name));
  return loadStrategy(machine, file, { ...Object.fromEntries(kept), ...set });
}

/** Names of the parameters that were set, and of those whose values differ anyway. */
function namesOf(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  set: Settings,
): readonly string[] {
  const names = new Set([...Object.keys(set), ...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => Object.hasOwn(set, name) || before[name] !== after[name]);
}
