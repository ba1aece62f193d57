import type { DaemonStatus, PairStatus } from '../daemon-api.js';
import { LOSS_REACHED } from '../problems.js';
import { longestSilence } from '../silence.js';
import type { Alert } from './alert.js';

interface Problem {
  readonly key: string;
  readonly severity: Alert['severity'];
  readonly begins: string;
  readonly ends: string;
  readonly lines: readonly string[];
  /** Number of looks in a row that must show the problem before it is told. */
  readonly looks: number;
  /** The receiver that the problem is about. */
  readonly about?: string;
  /** The pair that the problem is about. */
  readonly pair?: string;
  /**
   * A worse problem, which is told by itself, explains this one. It stays as it is: it neither begins nor ends meanwhile.
   */
  readonly isHidden?: boolean;
}

export interface Look {
  readonly status: DaemonStatus;
  /** Receivers that alerts do not reach; names are unique. */
  readonly receivers: readonly { readonly name: string; readonly reason: string }[];
  readonly time: number;
  /** The venue is known to be unreachable, which explains silent pairs. */
  readonly isOutage: boolean;
}

/** `about`: the receiver that the alert is about; it need not get the alert. */
export interface StandingAlert {
  readonly alert: Alert;
  readonly about: string | undefined;
}

interface Seen {
  readonly problem: Problem;
  readonly looks: number;
}

const ONCE = 1;
const BRIEF = 2;
/** A doubt usually ends by itself: a venue may take this many looks to show an order. */
const LONG = 5;
const SILENT_MS = 60_000;

/** Problems that persist and send no event: found by looking once a minute. */
export class StandingProblems {
  #seen: ReadonlyMap<string, Seen> = new Map();

  look({ status, receivers, time, isOutage }: Look): readonly StandingAlert[] {
    const problems = [...problemsOf(status, isOutage), ...receivers.map(ofReceiver)];
    const before = this.#seen;
    // For a pair that does not run it is unknown whether its problems are over, so their ends are not told.
    const silent = new Set(
      status.pairs
        .filter(({ running, failure }) => !running || failure !== undefined)
        .map(({ pair }) => pair),
    );
    const kept = [...before.values()].filter(
      ({ problem: { pair, key, looks }, looks: seen }) =>
        pair !== undefined && silent.has(pair) && seen >= looks && !problems.some((each) => each.key === key),
    );
    this.#seen = new Map([
      ...kept.map((each) => [each.problem.key, each] as const),
      ...problems.map((problem) => [problem.key, seenNow(problem, before.get(problem.key))] as const),
    ]);
    const begun = [...this.#seen.values()].filter(
      ({ problem, looks }) => looks === problem.looks && before.get(problem.key)?.looks !== looks,
    );
    const ended = [...before.values()].filter(
      ({ problem, looks }) => looks >= problem.looks && !this.#seen.has(problem.key),
    );
    return [
      ...begun.map(({ problem }) => standingAlert(problem, 'begin', time)),
      ...ended.map(({ problem }) => standingAlert(problem, 'end', time)),
    ];
  }
}

/** While hidden, a problem is not counted: one that was told stays told, any other starts counting anew. */
function seenNow(problem: Problem, before: Seen | undefined): Seen {
  const looks = before?.looks ?? 0;
  if (problem.isHidden !== true) return { problem, looks: looks + 1 };
  return { problem, looks: looks >= problem.looks ? looks : 0 };
}

function standingAlert(problem: Problem, phase: 'begin' | 'end', time: number): StandingAlert {
  return { alert: alertOf(problem, phase, time), about: problem.about };
}

/** Tells the other receivers, so that a person who hears nothing does not conclude that all is well. */
function ofReceiver({ name, reason }: Look['receivers'][number]): Problem {
  return {
    key: `standing receiver ${name}`,
    severity: 'critical',
    begins: `no alert arrives at ${name}`,
    ends: `alerts arrive at ${name} again`,
    lines: [reason],
    looks: BRIEF,
    about: name,
  };
}

function alertOf(
  { key, severity, begins, ends, lines }: Problem,
  phase: 'begin' | 'end',
  time: number,
): Alert {
  const isBegin = phase === 'begin';
  return {
    kind: 'problem',
    severity,
    key,
    phase,
    title: isBegin ? begins : ends,
    lines: isBegin ? lines : [],
    time,
  };
}

function problemsOf({ pairs, suspense }: DaemonStatus, isOutage: boolean): readonly Problem[] {
  const money = suspense.map(({ asset, amount }) => `${amount} ${asset}`).join(', ');
  return [
    ...pairs.flatMap((pair) => ofPair(pair, isOutage)),
    ...(money === ''
      ? []
      : [
          {
            key: 'standing suspense',
            severity: 'warning',
            begins: 'there is money on the account that nothing explains',
            ends: 'all money is explained again',
            lines: [money],
            looks: BRIEF,
          } as const,
        ]),
  ];
}

function ofPair(
  {
    pair,
    running,
    state,
    permission,
    failure,
    reason,
    doubt,
    pollAgeMs,
    pollMs,
    noRiskBefore,
    riskPause,
    ordersWait,
  }: PairStatus,
  isOutage: boolean,
): readonly Problem[] {
  // A strategy that failed is told by its own event.
  if (failure !== undefined) return [];
  if (!running) {
    const begins = `${pair} does not run`;
    const ends = `${pair} runs`;
    return [
      {
        key: `standing run ${pair}`,
        pair,
        severity: 'critical',
        begins,
        ends,
        lines: [reason],
        looks: BRIEF,
      },
    ];
  }
  const isSilent = pollAgeMs !== undefined && pollAgeMs > longestSilence(SILENT_MS, pollMs);
  return [
    ...(permission === 'all'
      ? []
      : [
          {
            key: `standing permit ${pair}`,
            // Of every other state its own event tells.
            isHidden: state !== 'SYNCED' || isOutage || isSilent || ordersWait !== undefined,
            pair,
            severity: 'warning',
            begins: `${pair}: no order adds risk`,
            ends: `${pair}: nothing keeps orders from adding risk any more`,
            lines: [reason],
            looks: BRIEF,
          } as const,
        ]),
    ...(ordersWait === undefined
      ? []
      : [
          {
            key: `standing orders ${pair}`,
            isHidden: isOutage,
            pair,
            severity: 'critical',
            begins: `${pair}: no order leaves for the venue`,
            ends: `${pair}: orders leave for the venue again`,
            lines: [ordersWait],
            looks: BRIEF,
          } as const,
        ]),
    ...(riskPause === undefined
      ? []
      : [
          {
            key: `standing pause ${pair}`,
            pair,
            severity: 'warning',
            begins: `${pair}: a limit lets no order add risk for a while`,
            ends: `${pair}: that limit lets orders add risk again`,
            lines: [riskPause],
            looks: ONCE,
          } as const,
        ]),
    ...(noRiskBefore === undefined
      ? []
      : [
          {
            key: `standing loss ${pair}`,
            pair,
            severity: 'critical',
            begins: `${pair}: ${LOSS_REACHED}`,
            ends: `${pair}: orders may add risk again: another day has begun`,
            lines: [`no order adds risk before ${noRiskBefore}`],
            looks: ONCE,
          } as const,
        ]),
    ...(doubt === 0
      ? []
      : [
          {
            key: `standing doubt ${pair}`,
            pair,
            severity: 'warning',
            begins: `${pair}: nobody knows whether ${doubt === 1 ? 'an order was' : `${doubt} orders were`} placed`,
            ends: `${pair}: no order is in doubt any more`,
            lines: ['no order adds risk there until it is known'],
            looks: LONG,
          } as const,
        ]),
    ...(isSilent
      ? [
          {
            key: `standing silence ${pair}`,
            isHidden: isOutage,
            pair,
            severity: 'warning',
            begins: `${pair} gets no data`,
            ends: `${pair} gets data again`,
            lines: [`for ${Math.round(pollAgeMs / 1_000)} s`],
            looks: BRIEF,
          } as const,
        ]
      : []),
  ];
}
