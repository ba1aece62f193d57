import { counted } from '../../model/counted.js';
import type { BacktestResult } from '../result.js';
import { overlapText, trialCount, type TrialVerdict } from '../trials.js';
import { amount, moment, number, percent, signed } from './numbers.js';

const FEW_TRIPS = 30;
const EVIDENCE = 0.95;
const HIGH_SHARPE = 5;
const LARGE_SHARE = 0.5;

/** `what` was liquidated, as in `the position`. */
export function liquidationText(what: string, liquidatedAt: number): string {
  return `The venue liquidated ${what}, or a part of it, at ${moment(liquidatedAt)} for the first time: a live bot halts there until somebody resumes, the run went on.`;
}

/** Warnings about what a careful reader would question. */
export function warningsOf(result: BacktestResult, trials: TrialVerdict): readonly string[] {
  const { metrics, quote, insideGaps, data } = result;
  const pnl = Number(result.pnl[result.headline] ?? 0);
  const list: string[] = [];
  if (data.kind === 'bars') {
    list.push(
      'The recording is one of bars: what traded inside of one, and in which order, is not known. Orders go live with the first bar that opens at or after their arrival: with any latency, that is not the bar that follows a decision but the one after it.',
    );
  } else if (result.trades === 0) list.push('The recording holds no trades in this stretch.');
  if (result.ruinedAt !== undefined)
    list.push('The account was ruined: nothing was left, and the run ended there.');
  if (result.liquidatedAt !== undefined) list.push(liquidationText('the position', result.liquidatedAt));
  if (result.verdict === 'undecided') {
    list.push(
      'The fill models disagree on the sign: what this strategy earns is decided by its place in the queue.',
    );
  }
  if (result.roundTrips === 0) list.push('No round trip: nothing to tell skill from luck by.');
  else if (result.roundTrips < FEW_TRIPS)
    list.push(`Only ${counted(result.roundTrips, 'round trip')}: too few to tell skill from luck.`);
  if (metrics.unavailable !== undefined) list.push(`Annual figures are ${metrics.unavailable}.`);
  if (data.gaps > 0) {
    list.push(
      `The recording has ${counted(data.gaps, 'gap')}: ${signed(insideGaps.pnl)} ${quote} of the P&L and ${counted(insideGaps.roundTrips, 'round trip')} lie inside.`,
    );
  }
  if (result.mark === 'mixed') {
    list.push(
      'Tickers are missing: where the mark was not recorded for a minute, the last print stands in its place.',
    );
  }
  if (data.unfundedUntil !== undefined) {
    list.push(
      `Recorded funding rates begin at ${moment(data.unfundedUntil)}: what was due before is not charged.`,
    );
  }
  if (data.missingRates !== undefined) {
    list.push(
      `Later on ${counted(data.missingRates, 'funding rate')} ${data.missingRates === 1 ? 'is' : 'are'} missing in the recording: what was due then is not charged.`,
    );
  }
  if (data.marginChangedAt !== undefined) {
    list.push(
      `Margin rates of the market changed at ${moment(data.marginChangedAt)}: the run keeps those of its beginning.`,
    );
  }
  if (data.market === 'inferred')
    list.push('Filters and fees of the market are inferred from the trades, not given.');
  if (trials.deflatedSharpe !== null && trials.deflatedSharpe < EVIDENCE && pnl > 0) {
    list.push(
      `After ${trialCount(trials)} on this data${overlapText(trials)} the deflated Sharpe is ${number(trials.deflatedSharpe, 3)}: below 0.95 luck explains it.`,
    );
  }
  if (metrics.sharpe !== null && Number(metrics.sharpe) > HIGH_SHARPE) {
    list.push(
      `A Sharpe ratio of ${number(metrics.sharpe)} is rarely true: look for the future in the strategy (tickwright lookahead).`,
    );
  }
  const best = Number(metrics.largestWin ?? 0);
  if (pnl > 0 && result.roundTrips >= FEW_TRIPS && best > pnl * LARGE_SHARE) {
    list.push(`One round trip brought ${percent(best / pnl)} of the P&L.`);
  }
  if (Number(result.finalPosition) !== 0) {
    list.push(
      `A position is open at the end; closing it would cost ${amount(result.closingCost)} ${quote} more.`,
    );
  }
  return list;
}
