import { createVenueClient } from '../../client/client.js';
import { Books } from '../../execution/books.js';
import type { BooksState } from '../../execution/books-state.js';
import { Chronicle } from '../../execution/chronicle.js';
import type { EngineEvent } from '../../model/event.js';
import type { Lots } from '../../model/grid.js';
import { UsageError } from '../../model/errors.js';
import { SILENT } from '../../ports/log.js';
import type { SessionCore, SessionObserver } from '../../session/session-core.js';
import type { BotEnd, RunningBot } from '../bot.js';
import type { LiveBeginning } from '../live-session.js';
import { causeText, deedKind, type OperatorCommand, type Turn } from './turn.js';
import { Replayer, type TurnDifference } from './replayer.js';
import { type BoxedParts, type BoxedPlan, sessionIn } from './session-in-box.js';

/** The footer that a session wrote at its end. */
export interface SessionFooter {
  readonly turns: number;
  readonly inputs: number;
  readonly wantsHash: string;
  readonly decisionHash: string;
}

/** A part of a recorded session, in order. */
export type RecordedPart =
  | { readonly kind: 'turn'; readonly where: string; readonly turn: Turn }
  | { readonly kind: 'footer'; readonly where: string; readonly footer: SessionFooter }
  /** From here on the recording differs from what the session wrote. */
  | { readonly kind: 'damage'; readonly where: string; readonly reason: string };

/**
 * The first place where the recording and the computation part: of a turn (`TurnDifference`), or
 *
 * - `strategy`: it is not what the session ran
 * - `damage`: the recording is not what the session wrote
 * - `turns`, `inputs`, `wants-hash`, `decision-hash`: what the session said at its end
 */
export interface ReplayDifference {
  readonly kind: TurnDifference['kind'] | 'strategy' | 'damage' | EndKind;
  /** Number of the turn, from 1; 0 for what is wrong before the first one. */
  readonly event: number;
  /** What came from outside in that turn. */
  readonly cause: string | undefined;
  readonly where: string;
  readonly recorded: unknown;
  readonly recomputed: unknown;
}

type EndKind = 'turns' | 'inputs' | 'wants-hash' | 'decision-hash';

type Decided = Pick<BotEnd, 'inputs' | 'wantsHash' | 'decisionHash'>;

export interface Replay {
  /** Number of turns that were executed again. */
  readonly events: number;
  readonly firstDifference: ReplayDifference | undefined;
  /**
   * How the recording ends. `killed`: the session did not end in order, or is still running · `stopped`: it was asked
   * to go no farther, or there was a difference
   */
  readonly end: 'orderly' | 'killed' | 'stopped';
  readonly requests: number;
  readonly records: number;
  readonly decisions: number;
  readonly wantsHash: string | undefined;
  readonly decisionHash: string | undefined;
  /** The last turn, and the session's state after it; `undefined`: there was none. */
  readonly last: { readonly turn: Turn; readonly session: SessionState } | undefined;
}

export interface SessionState {
  /** `undefined` while the session starts. */
  readonly position: Lots | undefined;
  readonly state: string | undefined;
  readonly reason: string | undefined;
  readonly openOrders: readonly string[];
}

export interface ReplayOptions {
  readonly plan: BoxedPlan;
  /** The books as of the session's beginning. */
  readonly books: BooksState;
  readonly parts: AsyncIterable<RecordedPart> | Iterable<RecordedPart>;
  /** Resolves when all pending promise jobs have run. */
  readonly drain: () => Promise<void>;
  /** Stops after this turn. */
  readonly until?: number | undefined;
  /** Called when the session is about to see data; returns what is called with each input before it is handled. */
  readonly watch?: ((beginning: LiveBeginning) => (event: EngineEvent) => void) | undefined;
  /** Sees inputs and decisions of the session; `core` once it has one. */
  readonly trace?: ((core: () => SessionCore | undefined) => SessionObserver) | undefined;
  /** Called before each turn; true ends the replay there. */
  readonly stopAt?: ((next: Turn) => boolean) | undefined;
}

/** A client needs credentials, but no request of a replay leaves. */
const NO_CREDENTIALS = { apiKey: 'replayed', apiSecret: 'replayed' } as const;

/**
 * Executes a recorded session again on its recorded turns: polling, decoding, engine, gate and execution.
 *
 * @throws what makes a recording unreadable.
 */
export async function replay(options: ReplayOptions): Promise<Replay> {
  const { plan, books, parts, drain, until = Number.POSITIVE_INFINITY, watch, trace, stopAt } = options;
  const box = new Replayer(drain);
  const chronicle = new Chronicle(box.journal, Books.restore(books));
  const { url: baseUrl, profile } = plan;
  const clientOn: BoxedParts['clientOn'] = (ports) =>
    createVenueClient({ ...ports, baseUrl, profile, credentials: NO_CREDENTIALS });
  const live = sessionIn(box, { chronicle, log: SILENT, clientOn }, plan);
  let decided: Decided | undefined;
  let bot: RunningBot | undefined;
  const session = {
    async start() {
      bot = await live.start((beginning) =>
        both(
          watched(box.observer, watch?.(beginning)),
          trace?.(() => bot?.core),
        ),
      );
    },
    async command(command: OperatorCommand) {
      if (command.kind === 'halt') live.halt(command.level, command.reason, command.by);
      else if (command.kind === 'resume') live.resume(command.reason, command.by);
      else if (command.kind === 'others') live.others(command);
      else if (command.kind === 'block') live.block(command.reason);
      else if (command.kind === 'abandon') live.abandon(command.deadlineMs, command.orders);
      else {
        const tell = (words: Decided) => {
          decided = words;
        };
        await live.stop(command.deadlineMs, tell, command.orders);
      }
    },
  };
  const counts = { request: 0, record: 0, decision: 0 };
  let events = 0;
  let last: Turn | undefined;
  let how: Replay['end'] = 'killed';
  let firstDifference: ReplayDifference | undefined;

  for await (const part of parts) {
    if (part.kind === 'turn') {
      const { turn, where } = part;
      if (turn.number !== events + 1) {
        throw new UsageError(
          'TICKWRIGHT_E_CAPTURE',
          `${where} must be turn ${events + 1}, received ${turn.number}`,
        );
      }
      if (stopAt?.(turn) === true) {
        how = 'stopped';
        break;
      }
      events = turn.number;
      last = turn;
      const difference = await box.live(turn, session);
      if (difference !== undefined) {
        firstDifference = { event: events, cause: causeText(turn), where, ...difference };
        break;
      }
      for (const deed of turn.did) counts[deedKind(deed)]++;
      if (events >= until) {
        how = 'stopped';
        break;
      }
    } else if (part.kind === 'footer') {
      how = 'orderly';
      const { footer, where } = part;
      firstDifference = endDifference(footer, { turns: events, decided, where });
    } else {
      firstDifference = {
        kind: 'damage',
        event: events + 1,
        cause: undefined,
        where: part.where,
        recorded: part.reason,
        recomputed: 'what the session wrote',
      };
      break;
    }
  }
  if (firstDifference !== undefined) how = 'stopped';
  return {
    events,
    firstDifference,
    end: how,
    requests: counts.request,
    records: counts.record,
    decisions: counts.decision,
    wantsHash: decided?.wantsHash ?? bot?.core.engine.wantsHash(),
    decisionHash: decided?.decisionHash ?? bot?.core.decisionHash(),
    last: last && { turn: last, session: stateNow() },
  };

  function stateNow(): SessionState {
    const report = live.state;
    return {
      // Of the books: what is filled while the session stops is no input of the engine any more.
      position: bot && chronicle.books.position(plan.market.pair),
      state: report?.state,
      reason: report?.reason,
      openOrders: bot?.openOrders() ?? [],
    };
  }
}

function both(first: SessionObserver, second: SessionObserver | undefined): SessionObserver {
  if (second === undefined) return first;
  return {
    ...first,
    input(...input) {
      second.input?.(...input);
      first.input?.(...input);
    },
    decision(...decision) {
      second.decision?.(...decision);
      first.decision?.(...decision);
    },
  };
}

function watched(
  observer: SessionObserver,
  see: ((event: EngineEvent) => void) | undefined,
): SessionObserver {
  if (see === undefined) return observer;
  return {
    ...observer,
    input(number, event) {
      see(event);
      observer.input?.(number, event);
    },
  };
}

function endDifference(
  footer: SessionFooter,
  {
    turns,
    decided,
    where,
  }: { readonly turns: number; readonly decided: Decided | undefined; readonly where: string },
): ReplayDifference | undefined {
  const pairs: readonly (readonly [EndKind, unknown, unknown])[] = [
    ['turns', footer.turns, turns],
    ['inputs', footer.inputs, decided?.inputs],
    ['wants-hash', footer.wantsHash, decided?.wantsHash],
    ['decision-hash', footer.decisionHash, decided?.decisionHash],
  ];
  for (const [kind, recorded, recomputed] of pairs) {
    if (recorded !== recomputed) return { kind, event: turns, cause: undefined, where, recorded, recomputed };
  }
  return undefined;
}
