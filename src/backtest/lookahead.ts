import { UsageError } from '../model/errors.js';
import { seededRandom } from '../model/random.js';
import type { Recording } from '../storage/recording/recording.js';
import type { BoundStrategy } from '../strategy/instance.js';
import type { Cut, CutShort, Future } from './cut.js';
import { cutRecording, firstRows, pickCuts, rowsOf } from './cut-recording.js';
import { type Answered, watched, type Witness } from './watched-strategy.js';

export interface LookaheadOptions {
  readonly strategy: BoundStrategy;
  readonly recording: Recording;
  /** Number of cuts; default 20. */
  readonly cuts?: number;
  readonly seed?: string;
  /** Runs the strategy over the whole given recording. */
  readonly run: (strategy: BoundStrategy, recording: Recording) => Promise<unknown>;
  /** Called after each run with the number of cuts done so far. */
  readonly onProgress?: (done: number) => void;
}

/** A place where a strategy decided differently although everything that it may know was the same. */
export interface Leak {
  /**
   * `absent` or `poisoned`: what the future was. `same`: nothing differed; a second run over the same data gave another
   * answer.
   */
  readonly future: Future | 'same';
  /** Time of the first trade or bar after the cut, ms; absent for `same`. */
  readonly cut?: number;
  /** Number of the event among those that the strategy got, from 1, and its handler. */
  readonly event: number;
  readonly handler: string;
  /** Event time, ms. */
  readonly time: number;
  /** The answer in the run over the complete recording, as JSON; `nothing` for no answer. */
  readonly whole: string;
  readonly cutShort: string;
}

export interface LookaheadResult {
  readonly cuts: number;
  readonly identical: boolean;
  /** Number of answers of the complete run that were compared. */
  readonly answers: number;
  readonly firstLeak?: Leak;
}

const DEFAULT_CUTS = 20;

/**
 * Tests by experiment that a strategy does not see the future. At random points the recording is cut, once with nothing
 * after the cut and once with garbage. Up to the cut, every answer has to be the same as in the run over the complete
 * recording. A strategy that keeps state from run to run differs from itself, and is found as well.
 */
export async function lookahead(given: LookaheadOptions): Promise<LookaheadResult> {
  const { cuts: count = DEFAULT_CUTS } = given;
  const random = seededRandom(`lookahead/${given.seed ?? '1'}`);
  const rows = await rowsOf(given.recording);
  // A recorder may still write: what one run sees and another does not must not count against the strategy.
  const recording = firstRows(given.recording, rows, random);
  const options = { ...given, recording };
  const cuts = await pickCuts(recording, rows, { count, random });
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
    // The error comes from a strategy that read the garbage in place of the future.
    const difference = firstDifference(whole, short, knownAt(cut));
    if (difference === undefined) throw error;
    return difference;
  }
  return firstDifference(whole, short, knownAt(cut));
}

/** The answers of each start of the strategy in one run. */
async function witnesses(options: LookaheadOptions, recording: Recording): Promise<readonly Witness[]> {
  const { strategy, witnesses: list } = watched(options.strategy);
  await options.run(strategy, recording);
  return list;
}

type Difference = Omit<Leak, 'future' | 'cut'>;

/** The earliest difference between answers to events that both runs knew of. */
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

/**
 * Whether the answer was to an event before the cut. At the end of a bar the next one may open at once, fill an order and
 * change the position, so answers to fills at that very time do not count.
 */
function knownAt({ trades, knownUntil }: Cut): (answer: Answered) => boolean {
  if (knownUntil === undefined) return ({ trade }) => trade < trades;
  return ({ time, handler }) => time < knownUntil || (time === knownUntil && !BY_FILLS.has(handler));
}

/** The earlier of two differing answers, with the other run's answer to the same event. */
function difference(one: Answered | undefined, other: Answered | undefined): Difference {
  const isOne = other === undefined || (one !== undefined && one.event <= other.event);
  const at = (isOne ? one : other) as Answered;
  const said = (answer: Answered | undefined) => (answer?.event === at.event ? answer.said : 'nothing');
  return { event: at.event, handler: at.handler, time: at.time, whole: said(one), cutShort: said(other) };
}
