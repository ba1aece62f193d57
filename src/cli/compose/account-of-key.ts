/** The account that a key opens, held against the one that a pair's journal is about. */
import type { VenueProfile } from '../../client/profile.js';
import { cleanLine } from '../../daemon/alerts/clean-text.js';
import { UsageError } from '../../model/errors.js';
import type { DepositRecord, OrderRecord } from '../../model/venue-records.js';
import type { KeyCalls, OrderListState, PrivateVenueApi } from '../../ports/venue-api.js';
import type { CancelTimer } from '../../ports/clock.js';
import type { Machine } from '../machine.js';
import type { KeyedConnection } from './connection.js';
import { accountPath, readAccount, writeAccount } from './account-file.js';

/** A venue that is slow or gone is waited for elsewhere. */
const PATIENCE_MS = 3_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const SHOWN = 4;

/** The key is of another account than the one that a journal is about: nothing that it shows there is about its orders. */
export class AnotherAccount extends UsageError {
  readonly finding: string;
  readonly wayOut = 'give a key of that account, or name another state folder for this one';

  constructor(file: string, { is, must }: { readonly is: string; readonly must: string }) {
    const finding = `the key must be one of account ${shown(must)}, which the journal beside ${file} is about, received one of account ${shown(is)}`;
    super('TICKWRIGHT_E_ANOTHER_ACCOUNT', finding);
    this.finding = finding;
    this.message = `${finding}: ${this.wayOut}`;
  }
}

interface Asked {
  readonly api: Pick<PrivateVenueApi, 'orders'> & Pick<KeyCalls, 'deposits'>;
  readonly profile: Pick<VenueProfile, 'orderLists'>;
}

/**
 * By the venue's own word: a key itself says nothing, it may be a new one of the same account. `undefined` where no
 * order and no deposit of the account is shown, or none that names it.
 */
export async function accountOfKey({ api, profile }: Asked): Promise<string | undefined> {
  const older: OrderListState = profile.orderLists.includes('all') ? 'all' : 'filled';
  const questions: readonly (() => Promise<readonly Named[]>)[] = [
    () => api.orders('active'),
    () => api.orders(older, { limit: 1 }),
    () => api.deposits({ limit: 1 }),
  ];
  for (const question of questions) {
    const rows = await question();
    for (const { customerId } of rows) if (customerId !== undefined && customerId !== '') return customerId;
  }
  return undefined;
}

/** What names the account that it is of. */
type Named = Pick<OrderRecord, 'customerId'> | Pick<DepositRecord, 'customerId'>;

type Ports = Pick<Machine, 'files' | 'timers' | 'log'>;

/**
 * Holds the account that the key opens against the one that the journal in `folder` is about. Resolves to whether both
 * are known: what cannot be asked in time, as of a venue that is away, is not.
 *
 * @throws AnotherAccount
 */
export async function demandSameAccount(
  ports: Pick<Machine, 'files' | 'timers'>,
  venue: Asked,
  folder: string,
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  const must = await readAccount(ports.files, folder);
  if (must === undefined) return false;
  const is = await inTime(ports, accountOfKey(venue), patienceMs);
  if (is !== undefined && is !== must) throw new AnotherAccount(accountPath(folder), { is, must });
  return is !== undefined;
}

/**
 * The same for who is to trade: the first answer is kept. Resolves to whether it is known now that the key opens the
 * account of the journal.
 *
 * @throws AnotherAccount
 */
export async function demandAccount(ports: Ports, venue: Asked, folder: string): Promise<boolean> {
  if ((await readAccount(ports.files, folder)) !== undefined) return demandSameAccount(ports, venue, folder);
  const is = await inTime(ports, accountOfKey(venue), PATIENCE_MS);
  if (is === undefined) return false;
  try {
    await writeAccount(ports.files, folder, is);
    return true;
  } catch (error) {
    const text = 'whose account the journal is about cannot be written down';
    ports.log.warn(text, { folder, error: String(error) });
    return false;
  }
}

/** Asks again, ever less often, as long as it is not known: an account shows nothing that names it before its first order. */
export class AccountWatch {
  readonly #ports: Ports;
  readonly #venue: Asked;
  readonly #folder: string;
  #cancel: CancelTimer | undefined;
  #isStopped = false;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(ports: Ports, { api, profile }: Pick<KeyedConnection, 'api' | 'profile'>, folder: string) {
    this.#ports = ports;
    this.#venue = { api, profile };
    this.#folder = folder;
  }

  /** `onStranger`: once, and then it is over. */
  begin(onStranger: (reason: string) => void): void {
    if (this.#isStopped) return;
    this.#cancel = this.#ports.timers.after(this.#pauseMs, () => void this.#look(onStranger));
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  async #look(onStranger: (reason: string) => void): Promise<void> {
    try {
      if (!(await demandAccount(this.#ports, this.#venue, this.#folder))) this.begin(onStranger);
    } catch (error) {
      if (error instanceof AnotherAccount) onStranger(error.message);
      else this.begin(onStranger);
    }
  }
}

/** `undefined` for what fails or is late. */
async function inTime<T>({ timers }: Pick<Ports, 'timers'>, work: Promise<T>, ms: number) {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = timers.after(ms, () => resolve(undefined));
  });
  const answer = await Promise.race([work.catch(() => undefined), late]);
  cancel();
  return answer;
}

/** Enough to tell accounts apart; an account's name has no place in logs. */
function shown(id: string): string {
  const text = cleanLine(id, (given) => given);
  return text.length <= SHOWN ? text : `…${text.slice(-SHOWN)}`;
}
