/** The account that a key opens, held against the one that a pair's journal is about. */
import type { VenueProfile } from '../../client/profile.js';
import { cleanLine } from '../../daemon/alerts/clean-text.js';
import { UsageError } from '../../model/errors.js';
import type { DepositRecord, OrderRecord } from '../../model/venue-records.js';
import type { KeyCalls, OrderListState, PrivateVenueApi } from '../../ports/venue-api.js';
import type { CancelTimer } from '../../ports/clock.js';
import type { Machine } from '../machine.js';
import type { KeyedConnection } from './connection.js';
import { type AccountNames, accountPath, KINDS, readAccount, writeAccount } from './account-file.js';

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

/** What names the account that it is of. */
type Named = Pick<OrderRecord, 'customerId'> | Pick<DepositRecord, 'customerId'>;

type Ports = Pick<Machine, 'files' | 'timers' | 'log'>;

/**
 * By the venue's own word: a key itself says nothing, it may be a new one of the same account. Nothing where no record of
 * the account is shown, or none that names it. Deposits are asked for where no order names it, or where `must` has none.
 */
export async function accountOfKey({ api, profile }: Asked, must: AccountNames = {}): Promise<AccountNames> {
  const older: OrderListState = profile.orderLists.includes('all') ? 'all' : 'filled';
  const orders = (await nameIn(api.orders('active'))) ?? (await nameIn(api.orders(older, { limit: 1 })));
  const isEnough = orders !== undefined && (must.orders !== undefined || must.deposits === undefined);
  const deposits = isEnough ? undefined : await nameIn(api.deposits({ limit: 1 }));
  return { ...(orders === undefined ? {} : { orders }), ...(deposits === undefined ? {} : { deposits }) };
}

/** Of a list that the venue does not have, or not now, another one may tell it. */
async function nameIn(list: Promise<readonly Named[]>): Promise<string | undefined> {
  const rows = await list.catch(() => []);
  return rows.map(({ customerId }) => customerId).find((name) => name !== undefined && name !== '');
}

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
  if (isNobody(must)) return false;
  return isSame(folder, must, await inTime(ports, accountOfKey(venue, must), patienceMs));
}

/**
 * The same for who is to trade: what the venue says first is kept. Resolves to whether it is known now that the key opens
 * the account of the journal.
 *
 * @throws AnotherAccount
 */
export async function demandAccount(ports: Ports, venue: Asked, folder: string): Promise<boolean> {
  const must = await readAccount(ports.files, folder);
  const is = await inTime(ports, accountOfKey(venue, must), PATIENCE_MS);
  const isFirst = isNobody(must);
  if (isNobody(is) || (!isFirst && !isSame(folder, must, is))) return false;
  const names = { ...is, ...must };
  if (KINDS.every((kind) => names[kind] === must[kind])) return true;
  try {
    await writeAccount(ports.files, folder, names);
    return true;
  } catch (error) {
    const text = 'whose account the journal is about cannot be written down';
    ports.log.warn(text, { folder, error: String(error) });
    return !isFirst;
  }
}

function isNobody(names: AccountNames): boolean {
  return KINDS.every((kind) => names[kind] === undefined);
}

/** @throws AnotherAccount */
function isSame(folder: string, must: AccountNames, is: AccountNames): boolean {
  let isKnown = false;
  for (const kind of KINDS) {
    const [expected, received] = [must[kind], is[kind]];
    if (expected === undefined || received === undefined) continue;
    if (expected !== received)
      throw new AnotherAccount(accountPath(folder), { is: received, must: expected });
    isKnown = true;
  }
  return isKnown;
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
      if (!(error instanceof AnotherAccount)) this.begin(onStranger);
      else if (!this.#isStopped) onStranger(error.message);
    }
  }
}

/** Nothing for what fails or is late. */
async function inTime(
  { timers }: Pick<Ports, 'timers'>,
  work: Promise<AccountNames>,
  ms: number,
): Promise<AccountNames> {
  let cancel = () => {};
  const late = new Promise<AccountNames>((resolve) => {
    cancel = timers.after(ms, () => resolve({}));
  });
  const answer = await Promise.race([work.catch(() => ({})), late]);
  cancel();
  return answer;
}

/** Enough to tell accounts apart; an account's name has no place in logs. */
function shown(id: string): string {
  const text = cleanLine(id, (given) => given);
  return text.length <= SHOWN ? text : `…${text.slice(-SHOWN)}`;
}
