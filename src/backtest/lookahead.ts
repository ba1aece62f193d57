import { UsageError } from '../model/errors.js';
import { seededRandom } from '../model/random.js';
import type { Recording } from '../storage/recording/recording.js';
import type { BoundStrategy } from '../strategy/instance.js';
import type { Cut, CutShort, Future } from './cut.js';
import { cutRecording, pickCuts } from './cut-recording.js';
import { type Answered, watched, type Witness } from './watched-strategy.js';

export interface LookaheadOptions {
  readonly strategy: BoundStrategy;
  readonly recording: Recording;
  /** How many points; default 20. */
  readonly cuts?: number;
  readonly seed?: string;
  /** Runs the strategy over the recording to its end. */
  readonly run: (strategy: BoundStrategy, recording: Recording) => Promise<unknown>;
  /** After each run: cuts done so far. */
  readonly onProgress?: (done: number) => void;
}

/** Where a strategy decided otherwise although nothing that it may know was different. */
export interface Leak {
  /** What differed: the future was absent or poisoned; `same`: nothing, it was the same run a second time. */
  readonly future: Future | 'same';
  /** Time of the first trade or bar after the cut, ms; absent for `same`. */
  readonly cut?: number;
  /** Number of the event among those that the strategy was given, from 1, and its handler. */
  readonly event: number;
  readonly handler: string;
  /** Event time, ms. */
  readonly time: number;
  /** What it said with the whole future before it, as JSON; `nothing` for no answer. */
  readonly whole: string;
  readonly cutShort: string;
}

export interface LookaheadResult {
  readonly cuts: number;
  readonly identical: boolean;
  /** Answers of the whole run: what was compared. */
  readonly answers: number;
  readonly firstLeak?: Leak;
}

const DEFAULT_CUTS = 20;

/**
 * Proves by experiment that a strategy does not see the future: at points drawn by the seed the recording ends, and
 * once more goes on with garbage; up to each point every answer of the strategy has to be what it was in the run over
 * the whole recording. A strategy that keeps something from run to run differs from itself, and is caught too.
 */
export async function lookahead(options: LookaheadOptions): Promise<LookaheadResult> {
  const { recording, cuts: count = DEFAULT_CUTS } = options;
  const random = seededRandom(`lookahead/${options.seed ?? '1'}`);
  const cuts = await pickCuts(recording, count, random);
  if (cuts.length === 0) {
    throw new UsageError(
      'TICKWRIGHT_E_LOOKAHEAD',
      'a recording must have 2 trades or bars to be cut, received fewer',
    );
  }
  const whole = await witnesses(options, recording);
  const answers = whole.reduce((sum, witness) => sum + witness.answers.length, 0);
  const found = (firstLeak: Leak | undefined) => ({
    cuts: cuts.length,
    identical: firstLeak === undefined,
    answers,
    ...(firstLeak === undefined ? {} : { firstLeak }),
  });
  const again = firstDifference(whole, await witnesses(options, recording), () => true);
  if (again !== undefined) return found({ future: 'same', ...again });
  for (const [done, cut] of cuts.entries()) {
    for (const future of ['absent', 'poisoned'] as const) {
      const difference = await atCut(options, whole, { ...cut, future, random });
      if (difference !== undefined) return found({ future, cut: cut.time, ...difference });
    }
    options.onProgress?.(done + 1);
  }
  return found(undefined);
}

async function atCut(
  options: LookaheadOptions,
  whole: readonly Witness[],
  cut: CutShort,
): Promise<Difference | undefined> {
  const { strategy, witnesses: short } = watched(options.strategy);
  try {
    await options.run(strategy, cutRecording(options.recording, cut));
  } catch (error) {
    // Of a strategy that stumbled over what stands in the place of the future.
    const difference = firstDifference(whole, short, knownAt(cut));
    if (difference === undefined) throw error;
    return difference;
  }
  return firstDifference(whole, short, knownAt(cut));
}

/** What each start of the strategy said in one run. */
async function witnesses(options: LookaheadOptions, recording: Recording): Promise<readonly Witness[]> {
  const { strategy, witnesses: list } = watched(options.strategy);
  await options.run(strategy, recording);
  return list;
}

type Difference = Omit<Leak, 'future' | 'cut'>;

/** The earliest answer that one run gave to what both knew of, and the other did not. */
function firstDifference(
  whole: readonly Witness[],
  short: readonly Witness[],
  isKnown: (answer: Answered) => boolean,
): Difference | undefined {
  const found: Difference[] = [];
  for (let i = 0; i < Math.max(whole.length, short.length); i++) {
    const a = whole[i]?.answers ?? [];
    const b = short[i]?.answers ?? [];
    for (let k = 0; k < Math.max(a.length, b.length); k++) {
      const [one, other] = [a[k], b[k]].map((answer) =>
        answer !== undefined && isKnown(answer) ? answer : undefined,
      );
      if (one === undefined && other === undefined) break;
      if (one?.event === other?.event && one?.said === other?.said && one?.handler === other?.handler)
        continue;
      found.push(difference(one, other));
      break;
    }
  }
  return found.sort((a, b) => a.event - b.event)[0];
}

const BY_FILLS: ReadonlySet<Answered['handler']> = new Set(['onFill', 'onPosition']);

/** Whether an answer was given to something before the cut. At the end of a bar the next one may open, fill, and change the position. */
function knownAt({ trades, knownUntil }: Cut): (answer: Answered) => boolean {
  if (knownUntil === undefined) return ({ trade }) => trade < trades;
  return ({ time, handler }) => time < knownUntil || (time === knownUntil && !BY_FILLS.has(handler));
}

/** The earlier of two answers that differ, with what the other run said to that event. */
function difference(one: Answered | undefined, other: Answered | undefined): Difference {
  const isOne = other === undefined || (one !== undefined && one.event <= other.event);
  const at = (isOne ? one : other) as Answered;
  const said = (answer: Answered | undefined) => (answer?.event === at.event ? answer.said : 'nothing');
  return { event: at.event, handler: at.handler, time: at.time, whole: said(one), cutShort: said(other) };
}
