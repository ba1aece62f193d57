import { describe, expect, it } from 'vitest';
import { decodeBalances, decodePositions } from '../../src/client/decode-account.js';
import { decodeDeposits, decodeWithdrawals } from '../../src/client/decode-transfers.js';
import { type AccountRecords, statementOf } from '../../src/ledger/statement.js';
import { ledgerScale } from '../../src/ledger/units.js';
import type { TripStatement } from '../../src/ledger/trip-statement.js';
import type { Account, CoreFill } from '../../src/venue/core/account.js';
import type { VenueCore } from '../../src/venue/core/venue-core.js';
import { balancesRecord } from '../../src/venue/http/records/balance-record.js';
import { positionWithFillsText } from '../../src/venue/http/records/position-record.js';
import { depositRecord, withdrawalRecord } from '../../src/venue/http/records/transfer-record.js';
import { sent, WatchedAccount } from './watched-account.js';
import { watchHistory } from './watched-history.js';

const STEPS = 120;
const HISTORIES = 30;

class Reader extends WatchedAccount {
  readonly core: VenueCore;
  readonly seeds: ReadonlyMap<string, bigint>;

  constructor(core: VenueCore, account: Account) {
    super(core, account);
    this.core = core;
    this.seeds = new Map([...account.balances].map(([asset, { cash }]) => [asset, cash]));
  }

  fillRecords() {
    const { fills } = this.account;
    return Array.from({ length: fills.size }, (_, n) => this.recordOf(fills.newest(n) as CoreFill));
  }

  records(time: number): AccountRecords {
    const { core, account } = this;
    const positions = core.markets
      .filter(({ pair, contract }) => contract === 'linear' && (account.holdings.get(pair)?.lots ?? 0) !== 0)
      .map((market) => [
        market.pair,
        JSON.parse(positionWithFillsText({ core, account }, market)) as unknown,
      ]);
    return {
      time,
      balances: decodeBalances(sent(balancesRecord(core.balances(account)))),
      positions: decodePositions(sent(Object.fromEntries(positions))),
      completed: this.completed(),
      fills: this.fillRecords(),
      deposits: decodeDeposits(sent(core.wallet.deposits(account, { limit: 1_000 }).map(depositRecord))),
      withdrawals: decodeWithdrawals(
        sent(core.wallet.withdrawals(account, { limit: 1_000 }).map(withdrawalRecord)),
      ),
    };
  }
}

function readers(seed: number): { readonly watched: readonly Reader[]; readonly now: number } {
  let now = 0;
  const watched = watchHistory(seed, STEPS, {
    watch: (core, account) => new Reader(core, account),
    look: (each, time) => {
      now = time;
      if (time % 5 === 0) each.cut(time);
    },
  });
  return { watched, now };
}

/** It is open, and the newest fill of it is a slice of a liquidation. */
function hasOpenSlice({ closedAt, fills }: TripStatement): boolean {
  return closedAt === undefined && fills.at(-1)?.entry.liquidation === true;
}

describe('the statement of an account', () => {
  it('leads from what it was opened with to its balance, to the unit', () => {
    let trips = 0;
    let liquidated = 0;
    let slices = 0;
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const { watched, now } = readers(seed);
      for (const each of watched) {
        each.cut(now);
        const statement = statementOf(each.facts, each.records(now));
        expect(statement.listedFrom).toBeUndefined();
        trips += statement.pairs.reduce((sum, pair) => sum + pair.trips.length, 0);
        if (statement.isLiquidated) liquidated++;
        else slices += statement.pairs.filter(({ trips: some }) => some.some(hasOpenSlice)).length;
        for (const asset of statement.assets) {
          const where = `${seed} ${each.account.name} ${asset.asset}`;
          expect(asset.suspense, where).toBe(0n);
          const lost = each.ledger.total(asset.asset, 'liquidation');
          const unit = ledgerScale(each.facts.precisions.get(asset.asset) ?? 0);
          expect(asset.opening, where).toBe((each.seeds.get(asset.asset) ?? 0n) * unit - lost);
          if (lost !== 0n) expect(statement.isLiquidated, where).toBe(true);
          const { opening, deposits, withdrawals, realised, fees, funding, exchanged, closing } = asset;
          expect(opening + deposits + withdrawals + realised + fees + funding + exchanged, where).toBe(
            closing,
          );
          expect(-fees, where).toBe(each.ledger.total(asset.asset, 'fees'));
          expect(-realised, where).toBe(-each.account.balances.get(asset.asset)!.pnl * unit);
        }
      }
    }
    expect(trips).toBeGreaterThan(150);
    expect(liquidated).toBeGreaterThan(2);
    expect(slices).toBeGreaterThan(0);
  });

  it('without one fill is short of exactly what its round trip was said to bring beyond the others', () => {
    let cases = 0;
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const { watched, now } = readers(seed);
      for (const each of watched) {
        const records = each.records(now);
        const contracts = records.fills.filter(({ pair }) => pair !== 'BTC_USD');
        const gone = contracts[seed % Math.max(1, contracts.length)];
        if (gone === undefined) continue;
        cases++;
        const fills = records.fills.filter((fill) => fill !== gone);
        const statement = statementOf(each.facts, { ...records, fills });
        const where = `${seed} ${each.account.name} ${gone.pair} ${gone.id}`;
        expect(
          statement.pairs.flatMap(({ unlisted }) => unlisted),
          where,
        ).toContain(gone.id);
        const whole = statementOf(each.facts, records);
        const usd = statement.assets.find(({ asset }) => asset === 'USD')!;
        const known = whole.assets.find(({ asset }) => asset === 'USD')!;
        expect(usd.opening, where).toBe(known.opening);
        expect(usd.suspense, where).toBe(known.realised + known.fees - usd.realised - usd.fees);
      }
    }
    expect(cases).toBeGreaterThan(60);
  });

  it('of a venue that forgot the oldest fills begins where its list is whole', () => {
    let begun = 0;
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const { watched, now } = readers(seed);
      for (const each of watched) {
        const records = each.records(now);
        const kept = new Set(records.fills.slice(0, Math.ceil(records.fills.length / 2)));
        const ids = new Set([...kept].map(({ pair, id }) => `${pair} ${id}`));
        const remember = (record: AccountRecords['completed'][number]) => ({
          ...record,
          fills: record.fills?.filter(({ pair, id }) => ids.has(`${pair} ${id}`)),
        });
        const forgetful = {
          ...records,
          fills: [...kept],
          completed: records.completed.map(remember),
          positions: records.positions.map(remember),
        };
        const statement = statementOf(each.facts, forgetful);
        if (statement.listedFrom === undefined) continue;
        begun++;
        for (const { asset, suspense } of statement.assets)
          expect(suspense, `${seed} ${each.account.name} ${asset}`).toBe(0n);
      }
    }
    expect(begun).toBeGreaterThan(10);
  });
});
