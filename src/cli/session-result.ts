/** The result that `demo` and `run` print at their end. */
import { bareText } from '../backtest/report/bare-text.js';
import { counted } from '../model/counted.js';
import { textOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
import { moneyText } from '../model/money.js';
import { reasonLines } from '../session/reasons.js';
import type { Protection } from '../session/protection.js';
import type { SessionCore } from '../session/session-core.js';
import type { ChildParity } from './session/parity-child.js';
import type { Mode } from './session/session-plan.js';
import type { SessionEnd } from './session/running-session.js';
import { pnlOf, pnlText, positionText } from './view/session-table.js';

/** The keys are documented in `cli.md`. Money and quantities are plain decimals. */
export interface SessionResult {
  readonly mode: Mode;
  readonly pair: string;
  readonly strategy: string;
  /** How long it ran, whole seconds. */
  readonly seconds: number;
  readonly polls: number;
  readonly trades: number;
  readonly gaps: number;
  /** Number of trades that are missing in gaps, if the venue's ids show it. */
  readonly missing: number;
  readonly orders: number;
  readonly fills: number;
  readonly refusals: number;
  readonly rejections: number;
  /** Why orders were refused or rejected: each rule with its count and its first case, verbatim. */
  readonly reasons: SessionCore['reasons'];
  /** How much of each limit that is set was used at the end; absent if none is set. */
  readonly limits?: SessionEnd['limits'];
  /** For how long positions had no stop at the venue, as in the result of a backtest; absent where nobody counted. */
  readonly protection?: Protection;
  /** Money of the account that nothing explains, plain decimals; absent if there is none. */
  readonly suspense?: SessionEnd['suspense'];
  /** Why the pair is quarantined, and the latched halt with its reason; each absent if it does not apply. */
  readonly quarantine?: string;
  readonly halt?: string;
  /** Position by own fills. */
  readonly position: string;
  /** Position by the venue; only if the pair is quarantined and it differs. */
  readonly venuePosition?: string;
  /** Ids of stops that the end canceled, so that nothing guards the position; absent without any. */
  readonly canceledStops?: readonly string[];
  readonly pnl: string;
  readonly wantsHash: string;
  readonly decisionHash: string;
  /** File with the session's inputs, for `parity`. */
  readonly capture: string;
  /**
   * Whether a second process computed the same decisions from the capture; absent if that was not requested or not
   * possible.
   */
  readonly parity?: boolean;
}

export interface ResultFacts {
  readonly mode: Mode;
  readonly market: Market;
  readonly strategy: string;
  readonly elapsedMs: number;
  readonly capture: string;
  /** Absent if it was not requested. */
  readonly parity?: ChildParity | undefined;
}

export function sessionResult(
  { mode, market, strategy, elapsedMs, capture, parity }: ResultFacts,
  end: SessionEnd,
): SessionResult {
  const { counts, position } = end;
  const { quarantine, halt, venueLots } = end.standstill ?? {};
  return {
    mode,
    pair: market.pair,
    strategy,
    seconds: Math.round(elapsedMs / 1_000),
    polls: end.polls,
    trades: counts.trades,
    gaps: counts.gaps,
    missing: end.missing,
    orders: counts.orders,
    fills: counts.fills,
    refusals: counts.refusals,
    rejections: counts.rejections,
    reasons: end.reasons,
    ...(end.limits.length === 0 ? {} : { limits: end.limits }),
    ...(end.protection === undefined ? {} : { protection: end.protection }),
    ...(end.suspense.length === 0 ? {} : { suspense: end.suspense }),
    ...(quarantine === undefined ? {} : { quarantine }),
    ...(halt === undefined ? {} : { halt }),
    position: textOf(market.quantityGrid, position.lots),
    ...(end.canceledStops.length === 0 ? {} : { canceledStops: end.canceledStops }),
    ...(venueLots === undefined ? {} : { venuePosition: textOf(market.quantityGrid, venueLots) }),
    pnl: moneyText(pnlOf(market, position, end.lastPrice), market.quotePrecision),
    wantsHash: end.wantsHash,
    decisionHash: end.decisionHash,
    capture,
    ...(parity?.kind === 'checked' ? { parity: parity.identical } : {}),
  };
}

/** The result as text for people. */
export function resultText(facts: ResultFacts, end: SessionEnd): string {
  const { mode, market, strategy, elapsedMs, parity } = facts;
  const { counts } = end;
  const { quarantine, halt, venueLots } = end.standstill ?? {};
  const differs =
    venueLots === undefined
      ? ''
      : ` by own fills; the venue says ${textOf(market.quantityGrid, venueLots)} ${market.base}`;
  const where = mode === 'paper' ? 'on paper (no order left this process)' : 'with orders at the venue';
  return [
    `${strategy} traded ${market.pair} for ${Math.round(elapsedMs / 1_000)} s ${where}.`,
    '',
    `  market    ${counted(counts.trades, 'trade')}, history included, in ${counted(end.polls, 'poll')}, ${counted(counts.gaps, 'gap')}`,
    `  orders    ${counts.orders} sent, ${counted(counts.fills, 'fill')}, ${counts.refusals} refused before they left, ${counts.rejections} rejected by the venue`,
    ...reasonLines('          refused', end.reasons.refused),
    ...reasonLines('          rejected', end.reasons.rejected),
    ...reasonLines('          canceled', end.reasons.canceled),
    ...end.limits.map(({ rule, used, bound }) => `  limit     ${rule}: ${used} of ${bound}`),
    ...(end.protection === undefined ? [] : [`  no stop   ${bareText(end.protection)}`]),
    ...end.suspense.map(({ asset, amount }) => `  suspense  ${amount} ${asset} that nothing explains`),
    ...(quarantine === undefined ? [] : [`  QUARANTINED: ${quarantine}`]),
    ...(halt === undefined ? [] : [`  HALTED: ${halt}`]),
    `  position  ${positionText(market, end.position)}${differs}`,
    `  P&L       ${pnlText(market, end.position, end.lastPrice)} ${market.quote}, fees and the open position included`,
    ...(parity === undefined ? [] : [`  parity    ${parityText(parity)}`]),
  ].join('\n');
}

function parityText(parity: ChildParity): string {
  if (parity.kind === 'unchecked') return 'not checked';
  return parity.identical
    ? 'a second process computed the same decisions from the recorded inputs'
    : 'NOT the same: a second process came to other decisions from the recorded inputs';
}
