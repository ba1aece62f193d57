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
  /** Looks in a row after which it is told. */
  readonly looks: number;
}

interface Seen {
  readonly problem: Problem;
  readonly looks: number;
}

const ONCE = 1;
const BRIEF = 2;
/** A doubt ends by itself: a venue that is slow to show an order takes this long. */
const LONG = 5;
const SILENT_MS = 60_000;

/** What no event tells, because it only goes on: seen by looking once a minute. */
export class StandingProblems {
  #seen: ReadonlyMap<string, Seen> = new Map();

  /** `isOutage`: the venue is known to be away, which says enough of silence. */
  look(status: DaemonStatus, time: number, isOutage: boolean): readonly Alert[] {
    const problems = problemsOf(status, isOutage);
    const before = this.#seen;
    this.#seen = new Map(
      problems.map((problem) => [problem.key, { problem, looks: (before.get(problem.key)?.looks ?? 0) + 1 }]),
    );
    const begun = [...this.#seen.values()].filter(({ problem, looks }) => looks === problem.looks);
    const ended = [...before.values()].filter(
      ({ problem, looks }) => looks >= problem.looks && !this.#seen.has(problem.key),
    );
    return [
      ...begun.map(({ problem }) => alertOf(problem, 'begin', time)),
      ...ended.map(({ problem }) => alertOf(problem, 'end', time)),
    ];
  }
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
      { key: `standing run ${pair}`, severity: 'critical', begins, ends, lines: [reason], looks: BRIEF },
    ];
  }
  const isSilent = !isOutage && pollAgeMs !== undefined && pollAgeMs > longestSilence(SILENT_MS, pollMs);
  return [
    ...(ordersWait === undefined || isOutage
      ? []
      : [
          {
            key: `standing orders ${pair}`,
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
