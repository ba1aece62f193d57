/** Compares the account that a key belongs to with the one that a pair's journal belongs to. */
import type { VenueProfile } from '../../client/profile.js';
import { cleanLine } from '../../daemon/alerts/clean-text.js';
import { UsageError } from '../../model/errors.js';
import type { DepositRecord, OrderRecord } from '../../model/venue-records.js';
import type { KeyCalls, OrderListState, PrivateVenueApi } from '../../ports/venue-api.js';
import type { CancelTimer } from '../../ports/clock.js';
import type { Machine } from '../machine.js';
import type { KeyedConnection } from './connection.js';
import { type AccountNames, accountPath, KINDS, readAccount, writeAccount } from './account-file.js';

/** How long to wait for the venue here, ms; other code handles a venue that is slow or away. */
const PATIENCE_MS = 3_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const SHOWN = 4;

/** The key belongs to another account than the journal, so what it shows says nothing about the journal's orders. */
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

/** A record that names its account. */
type Named = Pick<OrderRecord, 'customerId'> | Pick<DepositRecord, 'customerId'>;

type Ports = Pick<Machine, 'files' | 'timers' | 'log'>;

/**
 * The account of a key by the records of the venue: a new key of the same account must count as the same. Empty if the
 * account shows no record, or none that names it. Deposits are requested only if no order names the account, or if
 * `must` requires it.
 */
export async function accountOfKey({ api, profile }: Asked, must: AccountNames = {}): Promise<AccountNames> {
  const older: OrderListState = profile.orderLists.includes('all') ? 'all' : 'filled';
  const orders = (await nameIn(api.orders('active'))) ?? (await nameIn(api.orders(older, { limit: 1 })));
  const isEnough = orders !== undefined && (must.orders !== undefined || must.deposits === undefined);
  const deposits = isEnough ? undefined : await nameIn(api.deposits({ limit: 1 }));
  return { ...(orders === undefined ? {} : { orders }), ...(deposits === undefined ? {} : { deposits }) };
}

/** The account's name by a list; `undefined` if the list is not available, as another one may have the name. */
async function nameIn(list: Promise<readonly Named[]>): Promise<string | undefined> {
  const rows = await list.catch(() => []);
  return rows.map(({ customerId }) => customerId).find((name) => name !== undefined && name !== '');
}

/**
 * Compares the key's account with that of the journal in `folder`. Resolves to whether both are known; an answer that
 * is late, as from a venue that is away, counts as unknown.
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
 * Like `demandSameAccount`, for a process that is going to trade: notes the first answer of the venue. Resolves to
 * whether the key is known to belong to the journal's account.
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

/**
 * Whether at least one name is known on both sides.
 *
 * @throws AnotherAccount when a name differs
 */
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

/**
 * Asks for the account at growing intervals until it is known: before its first order, an account may show nothing that
 * names it.
 */
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

  /** `onStranger`: called once if the key belongs to another account; the watch then ends. */
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

/** The result; empty if the work fails or takes longer than `ms`. */
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

/** The end of an id, which is enough to distinguish accounts. Logs must not contain the whole name. */
function shown(id: string): string {
  const text = cleanLine(id, (given) => given);
  return text.length <= SHOWN ? text : `…${text.slice(-SHOWN)}`;
}
