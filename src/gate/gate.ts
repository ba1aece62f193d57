import type { Approved, Command, PlaceCommand, Refusal } from '../model/command.js';
import type { Market } from '../model/market.js';
import { checkFilters } from './filters.js';
import type { GateState, Permit } from './gate-state.js';
import type { Limits } from './limits.js';
import { checkOrderLimits } from './order-limits.js';
import { type Objection, refuse } from './refusal.js';
import { checkOutcome, checkStops } from './risk-limits.js';

/**
 * The last check before a command leaves, in every mode: pair filters and risk limits. Pure. A command comes back as
 * approved, or as a refusal that names the rule and both numbers; nothing is dropped or changed.
 */
export function check(
  market: Market,
  limits: Limits,
  state: GateState,
  command: Command,
): Approved | Refusal {
  if (command.kind === 'cancel') return command as Approved;
  const objection = objectionTo(market, limits, state, command);
  return objection === undefined ? (command as Approved) : refuse(command, objection);
}

export function isRefusal(verdict: Approved | Refusal): verdict is Refusal {
  return verdict.kind === 'refusal';
}

function objectionTo(
  market: Market,
  limits: Limits,
  state: GateState,
  { pair, terms }: PlaceCommand,
): Objection | undefined {
  const { permit } = state;
  return (
    (permit === undefined || permit.permission === 'all' ? undefined : notPermitted(pair, permit, terms)) ??
    checkFilters(market, terms) ??
    checkOrderLimits(market, limits, state, terms) ??
    // A reduce-only order cannot enlarge a position, so the limits on risk do not apply to it.
    (terms.reduceOnly
      ? undefined
      : (checkStops(market, limits, state, terms) ?? checkOutcome(market, limits, state, terms)))
  );
}

function notPermitted(
  pair: string,
  { permission, state, reason }: Permit,
  { reduceOnly }: PlaceCommand['terms'],
): Objection | undefined {
  if (permission === 'cancel-only') {
    const text = `${pair} must be released before any order, received ${state} (${reason})`;
    return { rule: 'halted', text, asked: state, bound: 'SYNCED' };
  }
  if (reduceOnly) return undefined;
  // The pair agrees with the venue; something else forbids risk, such as stale data, a full disk or a person.
  if (state === 'SYNCED') {
    const text = `only reduce-only orders may leave on ${pair} until this is over: ${reason}`;
    return { rule: 'not-synced', text, asked: permission, bound: 'all' };
  }
  const text = `${pair} must be SYNCED for an order that is not reduce-only, received ${state} (${reason})`;
  return { rule: 'not-synced', text, asked: state, bound: 'SYNCED' };
}
