/** Whether the venue takes a key at all, before a bot begins or ends with it. */
import { sleep } from '../../ports/clock.js';
import type { VenueError } from '../../ports/venue-api.js';
import type { Machine } from '../machine.js';
import { keyRefusalOf, VenueUnavailable } from '../report-error.js';
import { demandSignature } from './signature-trial.js';
import { connect, type ConnectionOptions, type KeyedConnectionOptions } from './connection.js';

/** A venue that is slow or gone is waited for once the bot runs, or its stop looks. */
const PATIENCE_MS = 3_000;
/** One refusal may be a fault of the venue's. */
const AGAIN_MS = 1_000;

/**
 * Ends as soon as the key is taken, something else is wrong, or nothing is known in time. `ask`: any question that takes
 * a key; default: a read, and a signed request that changes nothing.
 *
 * @throws VenueUnavailable when the venue refuses the key twice: waiting does not mend that
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

/** Reads carry the key alone, so the secret is asked about by itself. */
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
