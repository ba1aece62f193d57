/** A live gateway and a ledger watch against our venue, in a simulated world: no strategy, orders by hand. */
import { NEVER } from 'rxjs';
import type { VenueClient } from '../../src/client/client.js';
import { tickwright } from '../../src/client/profile.js';
import { Chronicle, NO_BOT_JOURNAL } from '../../src/execution/chronicle.js';
import type { Lots } from '../../src/model/grid.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import {
  DEFAULT_PRICING,
  defineMarket,
  defineMarketOn,
  type GridDigits,
  type Market,
} from '../../src/model/market.js';
import type { Money } from '../../src/model/money.js';
import type { Side } from '../../src/model/side.js';
import type { AssetRecord, BalanceRecord, DepositRecord, FillRecord } from '../../src/model/venue-records.js';
import { LedgerWatch } from '../../src/runner/ledger-watch.js';
import { liveGateway } from '../../src/runner/live-gateway.js';
import type { PermitEvent } from '../../src/runner/session-gateway.js';
import { sleep } from '../../src/ports/clock.js';
import { placeOf } from '../execution/harness.js';
import { ANNA, BTC_SPEC, clientOf, MARKET_BUY, START_TICKS, world } from '../simulation/world/desk.js';

/** A fair price apart from the index makes funding. */
const SPEC = { ...BTC_SPEC, pricing: { ...DEFAULT_PRICING, fairQuantity: '0.01' } };
const BTC = defineMarket(SPEC);
export const ETH_SPEC = { ...SPEC, pair: 'USD_ETH_PERP', base: 'ETH' };
export const ETH = defineMarket(ETH_SPEC);

export interface LedgerDeskOptions {
  readonly maxSuspense?: Money;
  readonly everyMs?: number;
  /** Rows that one answer holds. */
  readonly limit?: number;
  /** What the bot counts in, where that is finer than the venue's steps. */
  readonly grid?: GridDigits;
}

export async function ledgerDesk({
  maxSuspense,
  everyMs = 60_000,
  limit = 100,
  grid,
}: LedgerDeskOptions = {}) {
  const own = grid === undefined ? BTC : defineMarketOn(grid, SPEC);
  const it = world({
    markets: [
      { market: BTC, startTicks: START_TICKS },
      { market: ETH, startTicks: START_TICKS / 20 },
    ],
  });
  const log: { readonly level: string; readonly message: string; readonly fields: unknown }[] = [];
  const life = it.boot({ name: 'bot', disk: it.disk('bot'), onLog: (line) => log.push(line) });
  const client = clientOf(it, life);
  const calls = new Map<string, number>();
  const hidden = new Set<string>();
  const fillsFrom: number[] = [];
  /** What the venue shows and lists besides. */
  const also = {
    balances: [] as BalanceRecord[],
    assets: [] as AssetRecord[],
    deposits: [] as DepositRecord[],
    /** In the place of those that it does list. */
    markets: [] as Market[],
  };
  let broken: string | undefined;
  const heard = (name: string) => {
    calls.set(name, (calls.get(name) ?? 0) + 1);
    if (broken === name) throw new Error(`no ${name} today`);
  };
  let meanwhile: (name: string) => Promise<void> = () => Promise.resolve();
  const counted =
    <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      heard(name);
      await meanwhile(name);
      return call(...args);
    };
  const api: VenueClient = {
    ...client,
    balances: counted('balances', async () => [...(await client.balances()), ...also.balances]),
    markets: async () => {
      const listed = new Map(await client.markets());
      for (const market of also.markets) listed.set(market.pair, market);
      return listed;
    },
    assets: async () => [...(await client.assets()), ...also.assets],
    activePositions: counted('activePositions', () => client.activePositions()),
    deposits: counted('deposits', async (query) => [...(await client.deposits(query)), ...also.deposits]),
    withdrawals: counted('withdrawals', (query) => client.withdrawals(query)),
    fills: async (query) => {
      calls.set('fills', (calls.get('fills') ?? 0) + 1);
      if (query?.pair === undefined && query?.from !== undefined) fillsFrom.push(query.from);
      return (await client.fills(query)).filter(({ pair, id }: FillRecord) => !hidden.has(`${pair} ${id}`));
    },
  };
  const chronicle = new Chronicle(NO_BOT_JOURNAL);
  const { clock, timers } = life;
  const ports = { api, clock, timers, log: life.log };
  const gateway = liveGateway({
    ...ports,
    profile: tickwright,
    market: own,
    session: 's1',
    watchEveryMs: 1_000,
    limits: NO_LIMITS,
    chronicle,
    firstStart: 'adopt',
    external: 'adopt',
    onQuarantine: 'throw',
    data: { reason: () => undefined, changes$: NEVER },
    stops: [() => ledger.reason()],
  });
  const ledger = new LedgerWatch({
    ...ports,
    market: own,
    books: chronicle.books,
    isSynced: () => gateway.execution.state().state === 'SYNCED',
    everyMs,
    limit,
    maxSuspense,
  });
  chronicle.hear((record) => ledger.hear(record));
  const permits: PermitEvent[] = [];
  gateway.permits$.subscribe((permit) => permits.push(permit));
  const run = (ms: number) => it.scheduler.runUntil(it.scheduler.now + ms);
  const ready = gateway.ready();
  await run(5_000);
  await ready;
  let intents = 0;
  const account = it.account(ANNA.name);
  return {
    world: it,
    client,
    log,
    calls,
    /** From when on the fills of all pairs were read, venue ms. */
    fillsFrom,
    also,
    ledger,
    gateway,
    permits,
    account,
    run,
    /** What happens before a read leaves. */
    onRead: (task: (name: string) => Promise<void>) => {
      meanwhile = task;
    },
    sleep: (ms: number) => sleep(timers, ms),
    stopAnswering: (name: string | undefined) => {
      broken = name;
    },
    /** Cash and margin, as the venue's own ledger has them; units. */
    total: (): Money => {
      const [balance] = it.core.balances(account).filter(({ asset }) => asset === 'USD');
      if (balance === undefined) throw new Error('the account has USD');
      return balance.free + balance.locked + balance.margin + balance.withdrawn;
    },
    order: (side: Side, lots: number, reduceOnly = false) => {
      const terms = { ...MARKET_BUY, side, lots: lots as Lots, timeInForce: 'IOC' as const, reduceOnly };
      gateway.send(placeOf(++intents, terms));
    },
    /** By hand, on a pair that the bot does not trade; ids of its fills. */
    byHand: (side: Side, lots: number, hide = false): readonly string[] => {
      const before = new Set(it.core.fills(account, { limit: 1_000 }).map(({ id }) => id));
      const terms = { ...MARKET_BUY, side, lots: lots as Lots, timeInForce: 'IOC' as const };
      it.core.place(account, { pair: ETH.pair, terms }, it.venueNow());
      const fresh = it.core.fills(account, { limit: 1_000 }).filter(({ id }) => !before.has(id));
      if (hide) for (const { id } of fresh) hidden.add(`${ETH.pair} ${id}`);
      return fresh.map(({ id }) => id);
    },
    show: () => hidden.clear(),
  };
}
