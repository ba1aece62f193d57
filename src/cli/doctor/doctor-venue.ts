/** Checks the venue: whether and how fast it answers, its clock, whether it accepts the key, and its markets. */
import { isLoopback } from '../../client/base-url.js';
import { cautious, tickwright } from '../../client/profile.js';
import type { Market } from '../../model/market.js';
import type { CancelOutcome, PublicVenueApi } from '../../ports/venue-api.js';
import type { Machine } from '../machine.js';
import { isKeyRefusal } from '../report-error.js';
import { AnotherAccount, demandSameAccount } from '../connection/account-of-key.js';
import { trySignature } from '../connection/signature-trial.js';
import {
  type ConnectionOptions,
  type KeyedConnectionOptions,
  withConnection,
} from '../connection/connection.js';
import { type Check, fail, ok, warn } from './doctor-check.js';

const SAMPLES = 5;
/** A larger difference of the clocks cannot come from the network: one of the clocks is wrong. */
const FAR_MS = 1_000;
const SLOW_MS = 500;

export interface ClockSample {
  /** Our clock when the request was sent, epoch ms. */
  readonly sentAt: number;
  readonly tookMs: number;
  /** The venue's clock at some time before the answer, epoch ms. */
  readonly venue: number;
}

export function venueChecks(
  machine: Machine,
  venue: ConnectionOptions,
  pairs: readonly string[],
): Promise<readonly Check[]> {
  return withConnection(machine, venue, async ({ api }) => {
    const samples: ClockSample[] = [];
    for (let count = 0; count < SAMPLES; count++) samples.push(await sample(machine, api));
    const latency = median(samples.map(({ tookMs }) => tookMs));
    const text = `${venue.url} answers in ${Math.round(latency)} ms`;
    const { recvWindowMs } = venue.profile ?? (isLoopback(venue.url) ? tickwright : cautious);
    return [
      latency > SLOW_MS ? warn('venue', text, 'run it nearer to the venue') : ok('venue', text),
      clockCheck(samples, recvWindowMs),
      ...marketChecks(await api.markets(), pairs),
    ];
  });
}

async function sample({ clock }: Machine, api: Pick<PublicVenueApi, 'time'>): Promise<ClockSample> {
  const sentAt = clock.wall();
  const begin = clock.monotonic();
  const venue = await api.time();
  return { sentAt, tookMs: clock.monotonic() - begin, venue };
}

/** A venue time this many times below ours is not that of an old tape: the venue counts seconds, or something else. */
const TOO_OLD = 100;

/** The fastest answer is the most accurate: the venue read its clock at some time in between, and rounds to whole ms. */
export function clockCheck(samples: readonly ClockSample[], recvWindowMs: number): Check {
  const best = samples.toSorted((a, b) => a.tookMs - b.tookMs)[0];
  if (best === undefined) return fail('clock', 'the venue did not tell its time', 'is it the right address?');
  const offset = Math.round(best.venue - (best.sentAt + best.tookMs / 2));
  const uncertainty = Math.ceil(best.tookMs / 2) + 1;
  const text = `the venue's clock is ${offset} ms from ours, ± ${uncertainty} ms; requests are good for ${recvWindowMs} ms`;
  if (best.venue > 0 && best.venue * TOO_OLD < best.sentAt) {
    return fail(
      'clock',
      `the venue tells its time as ${best.venue}, which is no number of ms since 1970 near ours`,
      'it must count milliseconds, as the specification says: is it the right address?',
    );
  }
  if (uncertainty > recvWindowMs / 2) {
    return fail('clock', text, 'the way to the venue is too slow for its window');
  }
  if (Math.abs(offset) <= FAR_MS) return ok('clock', text);
  // Requests are stamped with the venue's clock, so they are valid all the same.
  return warn('clock', text, 'set the clock of this machine: timedatectl set-ntp true');
}

export function marketChecks(
  markets: ReadonlyMap<string, Market>,
  pairs: readonly string[],
): readonly Check[] {
  if (pairs.length === 0) return [ok('markets', `${markets.size} can be traded`)];
  return pairs.map((pair) => {
    const market = markets.get(pair);
    const name = `market ${pair}`;
    if (market === undefined) {
      return fail(
        name,
        'the venue has no such market, or none that can be traded here',
        'tickwright markets lists them',
      );
    }
    if (market.contract !== 'linear') {
      return fail(
        name,
        `a strategy trades perpetuals (linear), and this one is ${market.contract}`,
        'tickwright markets lists those that are',
      );
    }
    if (!market.active) return fail(name, 'it is not active', 'tickwright markets lists those that are');
    const { priceGrid, quantityGrid, filters } = market;
    return ok(
      name,
      `ticks of ${filters.price.tickSize / priceGrid.scale}, lots of ${filters.quantity.step / quantityGrid.scale}`,
    );
  });
}

/**
 * Reads with the key. Reads are not signed, so with `signs` it also cancels an order that does not exist: the venue
 * refuses this because of the id, or because of the signature.
 */
export function keyCheck(
  machine: Machine,
  venue: KeyedConnectionOptions,
  { signs, folders }: { readonly signs: boolean; readonly folders: readonly string[] },
): Promise<readonly Check[]> {
  return withConnection(machine, venue, async ({ api, profile }) => {
    const balances = await api.balances();
    const text = `the venue takes it; ${balances.length} balances`;
    const account = await accountChecks(machine, { api, profile }, folders);
    if (!signs)
      return [ok('key', `${text}; whether it takes the signature is tried with --live`), ...account];
    return [ok('key', text), signatureCheck(await trySignature(api)), ...account];
  });
}

/** Checks whether the key and the journals belong to the same account; empty if either is unknown. */
async function accountChecks(
  machine: Machine,
  venue: Parameters<typeof demandSameAccount>[1],
  folders: readonly string[],
): Promise<readonly Check[]> {
  try {
    const found = await Promise.all(folders.map((folder) => demandSameAccount(machine, venue, folder)));
    return found.includes(true) ? [ok('account', 'the one that the journals are about')] : [];
  } catch (error) {
    if (!(error instanceof AnotherAccount)) throw error;
    return [fail('account', error.finding, error.wayOut)];
  }
}

export function signatureCheck(outcome: CancelOutcome): Check {
  const name = 'signature';
  if (outcome.kind !== 'answered' && isKeyRefusal(outcome)) {
    return fail(name, outcome.reason, 'the secret is not the one of this key, or the clock is far off');
  }
  if (outcome.kind === 'unanswered') {
    return warn(
      name,
      `nobody can say: ${outcome.reason}`,
      'words about an order that is not there mean that it is taken, words about a signature that it is not (name them in the profile: authRefusals); without any, look again when the venue answers',
    );
  }
  return ok(name, 'the venue takes it');
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
