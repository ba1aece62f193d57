/** Executes a recorded live session again as a whole. */
import type { Market } from '../../model/market.js';
import { type Replay, type ReplayDifference, replay } from '../../runner/black-box/replay.js';
import type { Machine } from '../machine.js';
import { packageVersion } from '../package.js';
import { openBlackBox, type RecordedSession } from './recorded-session.js';
import { loadStrategy } from '../strategy/strategy.js';

export interface SessionReplay extends Omit<Replay, 'firstDifference'> {
  readonly identical: boolean;
  readonly firstDifference: NamedDifference | undefined;
  readonly market: Market;
  readonly recorded: Pick<RecordedSession, 'session' | 'engine' | 'strategy'>;
  /** The version of this package that recorded the session, if it is another one. */
  readonly otherEngine: string | undefined;
}

/** `consequence`: if the strategy decides otherwise, the first action of the session that differs because of it. */
export type NamedDifference = ReplayDifference & { readonly consequence?: ReplayDifference | undefined };

/** @throws UsageError for a black box without a beginning or that cannot be read, and when there is no such strategy. */
export async function replayBlackBox(
  machine: Machine,
  directory: string,
  until?: number,
): Promise<SessionReplay> {
  const recorded = await openBlackBox(machine.files, directory);
  const { file, params, sha256 } = recorded.strategy;
  const strategy = await loadStrategy(machine, file, params);
  const version = await packageVersion(machine.files);
  const plan = recorded.planWith(strategy.bound);
  const result = await replay({
    plan,
    books: recorded.books,
    parts: recorded.parts(),
    // Promises continue before the next callback of the event loop.
    drain: () =>
      new Promise((resolve) => {
        machine.timers.soon(resolve);
      }),
    until,
  }).catch((error: unknown) => {
    throw strategy.explain(error);
  });
  const executed = result.firstDifference;
  const firstDifference: NamedDifference | undefined =
    strategy.sha256 === sha256
      ? executed
      : {
          kind: 'strategy',
          event: 0,
          cause: undefined,
          where: file,
          recorded: sha256,
          recomputed: strategy.sha256,
          consequence: executed,
        };
  return {
    ...result,
    identical: firstDifference === undefined,
    firstDifference,
    market: plan.market,
    recorded,
    otherEngine: version === recorded.engine ? undefined : version,
  };
}
