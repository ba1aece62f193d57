import type { DaemonStatus, PairStatus } from '../daemon-api.js';
import { LOSS_REACHED, STANDS_STILL } from '../problems.js';
import { longestSilence } from '../silence.js';
import type { Alert } from './alert.js';

export interface Look {
  readonly status: DaemonStatus;
  /** Receivers that alerts do not reach; names are unique. */
  readonly receivers: readonly { readonly name: string; readonly reason: string }[];
  readonly time: number;
  /** The venue is known to be unreachable, which explains silent pairs. */
  readonly isOutage: boolean;
}

/** A problem that stands at a look. */
export interface Problem {
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

const ONCE = 1;
const BRIEF = 2;
/** A doubt usually ends by itself: a venue may take this many looks to show an order. */
const LONG = 5;
const SILENT_MS = 60_000;

export function problemsOf({ status, receivers, isOutage }: Look): readonly Problem[] {
  return [
    ...status.pairs.flatMap((pair) => ofPair(pair, isOutage)),
    ...ofSuspense(status),
    ...receivers.map(ofReceiver),
  ];
}

function ofPair(status: PairStatus, isOutage: boolean): readonly Problem[] {
  // A strategy that failed is told by its own event.
  if (status.failure !== undefined) return [];
  if (!status.running) return [notRunning(status)];
  return [
    noRisk(status, isOutage),
    ordersHeld(status, isOutage),
    riskPaused(status),
    lossReached(status),
    notClosed(status),
    ordersInDoubt(status),
    noData(status, isOutage),
    noTime(status),
    notCaptured(status),
  ].filter((problem) => problem !== undefined);
}

function notRunning({ pair, reason }: PairStatus): Problem {
  return {
    key: `standing run ${pair}`,
    pair,
    severity: 'critical',
    begins: `${pair} does not run`,
    ends: `${pair} runs`,
    lines: [reason],
    looks: BRIEF,
  };
}

function noRisk(status: PairStatus, isOutage: boolean): Problem | undefined {
  const { pair, state, permission, reason, ordersWait } = status;
  if (permission === 'all') return undefined;
  return {
    key: `standing permit ${pair}`,
    // Of every other state its own event tells.
    isHidden: state !== 'SYNCED' || isOutage || isSilent(status) || ordersWait !== undefined,
    pair,
    severity: 'warning',
    begins: `${pair}: no order adds risk`,
    ends: `${pair}: nothing keeps orders from adding risk any more`,
    lines: [reason],
    looks: BRIEF,
  };
}

function ordersHeld({ pair, ordersWait }: PairStatus, isOutage: boolean): Problem | undefined {
  if (ordersWait === undefined) return undefined;
  return {
    key: `standing orders ${pair}`,
    isHidden: isOutage,
    pair,
    severity: 'critical',
    begins: `${pair}: no order leaves for the venue`,
    ends: `${pair}: orders leave for the venue again`,
    lines: [ordersWait],
    looks: BRIEF,
  };
}

function riskPaused({ pair, riskPause }: PairStatus): Problem | undefined {
  if (riskPause === undefined) return undefined;
  return {
    key: `standing pause ${pair}`,
    pair,
    severity: 'warning',
    begins: `${pair}: a limit lets no order add risk for a while`,
    ends: `${pair}: that limit lets orders add risk again`,
    lines: [riskPause],
    looks: ONCE,
  };
}

function lossReached({ pair, noRiskBefore }: PairStatus): Problem | undefined {
  if (noRiskBefore === undefined) return undefined;
  return {
    key: `standing loss ${pair}`,
    pair,
    severity: 'critical',
    begins: `${pair}: ${LOSS_REACHED}`,
    ends: `${pair}: orders may add risk again: another day has begun`,
    lines: [`no order adds risk before ${noRiskBefore}`],
    looks: ONCE,
  };
}

function notClosed({ pair, bare }: PairStatus): Problem | undefined {
  if (bare === undefined) return undefined;
  return {
    key: `standing bare ${pair}`,
    pair,
    severity: 'critical',
    begins: `${pair}: a position without a stop is not closed`,
    ends: `${pair}: that position is closed, or has its stop`,
    lines: [bare],
    // That the limit acted is told by an event of its own.
    looks: BRIEF,
  };
}

function ordersInDoubt({ pair, doubt }: PairStatus): Problem | undefined {
  if (doubt === 0) return undefined;
  return {
    key: `standing doubt ${pair}`,
    pair,
    severity: 'warning',
    begins: `${pair}: nobody knows whether ${doubt === 1 ? 'an order was' : `${doubt} orders were`} placed`,
    ends: `${pair}: no order is in doubt any more`,
    lines: ['no order adds risk there until it is known'],
    looks: LONG,
  };
}

function noData(status: PairStatus, isOutage: boolean): Problem | undefined {
  if (!isSilent(status)) return undefined;
  const { pair, pollAgeMs } = status;
  return {
    key: `standing silence ${pair}`,
    isHidden: isOutage,
    pair,
    severity: 'warning',
    begins: `${pair} gets no data`,
    ends: `${pair} gets data again`,
    lines: [`for ${Math.round(pollAgeMs / 1_000)} s`],
    looks: BRIEF,
  };
}

function noTime(status: PairStatus): Problem | undefined {
  const { pair, timeAgeMs = 0, pollMs } = status;
  if (isSilent(status) || timeAgeMs <= longestSilence(SILENT_MS, pollMs)) return undefined;
  return {
    key: `standing still ${pair}`,
    pair,
    severity: 'warning',
    begins: `${pair}: ${STANDS_STILL}`,
    ends: `${pair}: bars and timers go on`,
    lines: ['limits.maxBareTime stands still with them'],
    looks: BRIEF,
  };
}

function notCaptured({ pair, unrecorded }: PairStatus): Problem | undefined {
  if (unrecorded === undefined) return undefined;
  return {
    key: `standing capture ${pair}`,
    pair,
    severity: 'warning',
    begins: `${pair}: its capture has stopped`,
    ends: `${pair} is captured again`,
    lines: [unrecorded, 'it trades on; only a new start captures again'],
    looks: BRIEF,
  };
}

function isSilent(status: PairStatus): status is PairStatus & { readonly pollAgeMs: number } {
  const { pollAgeMs, pollMs } = status;
  return pollAgeMs !== undefined && pollAgeMs > longestSilence(SILENT_MS, pollMs);
}

function ofSuspense({ suspense }: DaemonStatus): readonly Problem[] {
  if (suspense.length === 0) return [];
  return [
    {
      key: 'standing suspense',
      severity: 'warning',
      begins: 'there is money on the account that nothing explains',
      ends: 'all money is explained again',
      lines: [suspense.map(({ asset, amount }) => `${amount} ${asset}`).join(', ')],
      looks: BRIEF,
    },
  ];
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
