/** Checks whether the venue accepts a key, before a bot starts or stops with it. */
import { sleep } from '../../ports/clock.js';
import type { VenueError } from '../../ports/venue-api.js';
import type { Machine } from '../machine.js';
import { keyRefusalOf, VenueUnavailable } from '../report-error.js';
import { demandSignature } from './signature-trial.js';
import { connect, type ConnectionOptions, type KeyedConnectionOptions } from './connection.js';

/** How long to wait for the venue, ms: if it is slow or away, the running bot waits for it, or its stop checks it. */
const PATIENCE_MS = 3_000;
/** Pause before the second attempt, because one refusal may be a fault of the venue; ms. */
const AGAIN_MS = 1_000;

/**
 * Returns as soon as the key is accepted, another error occurs, or the time is over. `ask`: a request that needs the
 * key; default: a read, and a signed request that changes nothing.
 *
 * @throws VenueUnavailable when the venue refuses the key twice, because waiting would not help
 */
export function demandKey(machine: Machine, venue: KeyedConnectionOptions): Promise<void>;
export function demandKey(
  machine: Machine,
  venue: ConnectionOptions,
  ask: () => Promise<unknown>,
): Promise<void>;
export async function demandKey(
  machine: Machine,
  venue: ConnectionOptions | KeyedConnectionOptions,
  ask: () => Promise<unknown> = () => askAll(machine, venue as KeyedConnectionOptions),
): Promise<void> {
  const { timers, log } = machine;
  const first = await refusalOf(ask(), machine);
  if (first === undefined) return;
  log.warn('the venue refuses the key; it is asked once more', { reason: first.message });
  await sleep(timers, AGAIN_MS);
  const second = await refusalOf(ask(), machine);
  if (second !== undefined) throw new VenueUnavailable(venue.url, second);
}

/** Reads are not signed, so a signed request checks the secret separately. */
async function askAll(machine: Machine, venue: KeyedConnectionOptions): Promise<void> {
  const connection = connect(machine, venue);
  try {
    await connection.api.balances();
    await demandSignature(connection.api);
  } finally {
    await connection.close();
  }
}

async function refusalOf(
  question: Promise<unknown>,
  { timers }: Pick<Machine, 'timers'>,
): Promise<VenueError | undefined> {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = timers.after(PATIENCE_MS, () => resolve(undefined));
  });
  const answer = question.then(
    () => undefined,
    (error: unknown) => error,
  );
  const error = await Promise.race([answer, late]);
  cancel();
  return keyRefusalOf(error);
}
