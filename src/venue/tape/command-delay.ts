import type { Command } from '../../model/command.js';
import { UsageError } from '../../model/errors.js';
import { hashedUnit, seedOfText } from '../../model/hashed-unit.js';

/**
 * Time from sending a command until it is effective at the venue, ms. It stands for the whole round trip: reports take no
 * time.
 */
export interface Latency {
  readonly placeMs: number;
  readonly cancelMs: number;
  /** Additional delay of up to this, ms, drawn for each command. */
  readonly jitterMs: number;
}

/** How long a command takes to the venue, whole ms. Must give the same result at each call, in every fill model. */
export type CommandDelay = (command: Pick<Command, 'kind' | 'intentId'>) => number;

const DEFAULT_LATENCY_MS = 50;

/**
 * How long a command takes to the venue, whole ms. The jitter is a hash of the seed, the intent and the kind, and not the
 * next number of a stream: so a command has the same delay in every fill model, however many commands preceded it.
 */
export function commandDelay(
  latency: Partial<Latency> | CommandDelay | undefined,
  seed: string,
): CommandDelay {
  if (typeof latency === 'function') return latency;
  const placeMs = wholeMs('latency.placeMs', latency?.placeMs ?? DEFAULT_LATENCY_MS);
  const cancelMs = wholeMs('latency.cancelMs', latency?.cancelMs ?? DEFAULT_LATENCY_MS);
  const jitterMs = wholeMs('latency.jitterMs', latency?.jitterMs ?? 0);
  if (jitterMs === 0) return ({ kind }) => (kind === 'place' ? placeMs : cancelMs);
  const key = seedOfText(seed);
  return ({ kind, intentId }) => {
    const isPlace = kind === 'place';
    const share = hashedUnit(key, intentId, isPlace ? 1 : 2);
    return (isPlace ? placeMs : cancelMs) + Math.floor(share * (jitterMs + 1));
  };
}

function wholeMs(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new UsageError(
    'TICKWRIGHT_E_LATENCY',
    `${name} must be whole milliseconds of 0 or above, received ${value}`,
  );
}
