import { describe, expect, it } from 'vitest';
import type { CutReport } from '../../src/ledger/cut.js';
import type { AccountKind } from '../../src/ledger/accounts.js';
import { ledgerScale } from '../../src/ledger/units.js';
import { compareTrades } from '../../src/model/trade.js';
import type { PositionRecord } from '../../src/model/venue-records.js';
import type { CoreFill } from '../../src/venue/core/account.js';
import { WatchedAccount } from './watched-account.js';
import { watchHistory } from './watched-history.js';

const STEPS = 120;
/** One unit of the venue's USD, in units of the ledger. */
const UNIT = ledgerScale(8);

function text(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}` : inner));
}

describe('a ledger that is told everything', () => {
  it.each([
    ['after every command', 1, 20],
    ['after every third command', 3, 40],
    ['after every tenth command', 10, 60],
  ])('explains the balance to the unit at cuts %s', { timeout: 120_000 }, (_, every, histories) => {
    const faults: string[] = [];
    const seen = new Map<AccountKind, number>();
    for (let seed = 1; seed <= histories; seed++) {
      const watched = watchHistory(seed, STEPS, {
        watch: (core, account) => new WatchedAccount(core, account),
        look: (each, now) => {
          const report: CutReport = each.cut(now);
          if (!report.isBalanced) faults.push(`${seed} ${each.account.name} ${text(report)}`);
        },
        every,
      });
      for (const { ledger } of watched) {
        for (const { kind } of ledger.accounts) seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
    }
    expect(faults.slice(0, 3)).toEqual([]);
    // What never happened would prove nothing.
    for (const kind of [
      'fees',
      'realised',
      'funding',
      'transfers',
      'margin',
      'liquidation',
      'withdrawing',
    ] as const)
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(1);
    expect(seen.has('suspense')).toBe(false);
  });
});

/** Hides the first fill that brings cash and stands alone in its interval. */
class Forgetful extends WatchedAccount {
  hidden: CoreFill | undefined;
  skip = 0;
  wantsClosing = false;
  #before = 0;
  #cutAt = 0;

  override cut(time: number): CutReport {
    // Funding of the histories is due every minute; what a position that ended unseen was funded would be missing too.
    this.#isFundingTime = Math.floor(this.#cutAt / 60_000) !== Math.floor(time / 60_000);
    this.#cutAt = time;
    return super.cut(time);
  }

  #isFundingTime = false;

  override readFills(): void {
    const { fills } = this.account;
    const isAlone = fills.pushed === this.#before + 1;
    this.#before = fills.pushed;
    const only = fills.newest(0);
    if (
      isAlone &&
      !this.#isFundingTime &&
      this.hidden === undefined &&
      only !== undefined &&
      this.skip-- <= 0
    ) {
      if (
        only.pair !== 'BTC_USD' &&
        only.realised - only.fee !== 0n &&
        (only.realised !== 0n || !this.wantsClosing)
      ) {
        this.hidden = only;
        this.shows = ({ id }) => id !== only.id;
      }
    }
    super.readFills();
    this.shows = () => true;
  }
}

describe('a ledger that is not told of one fill', () => {
  it('has exactly its cash effect in suspense, until it is told', { timeout: 120_000 }, () => {
    let hidden = 0;
    let closing = 0;
    let liquidations = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const watched = watchHistory(seed, STEPS, {
        watch: (core, account) => {
          const each = new Forgetful(core, account);
          each.wantsClosing = seed % 2 === 0;
          each.skip = each.wantsClosing ? 0 : seed % 7;
          return each;
        },
        look: (each, now) => {
          each.cut(now);
        },
      });
      for (const { ledger, hidden: fill, account } of watched) {
        if (fill === undefined) continue;
        hidden++;
        if (fill.realised !== 0n) closing++;
        // What a take-over took of the group is missing too when nobody says that there was one.
        if (fill.isLiquidation === true) {
          liquidations++;
          continue;
        }
        const where = `${seed} ${account.name} fill ${fill.id}`;
        const effect = (fill.realised - fill.fee) * UNIT;
        expect(-ledger.total('USD', 'suspense'), where).toBe(effect);
        expect(ledger.exceeds(new Map([['USD', effect < 0n ? -effect - 1n : effect - 1n]])), where).toContain(
          'USD',
        );
        expect(ledger.exceeds(new Map([['USD', effect < 0n ? -effect : effect]])), where).toBeUndefined();
      }
      for (const each of watched) {
        if (each.hidden === undefined) continue;
        each.give(each.recordOf(each.hidden));
        expect(text(each.ledger.suspense), `${seed} ${each.account.name}`).toBe('[]');
      }
    }
    expect(hidden).toBeGreaterThan(40);
    expect(closing).toBeGreaterThan(10);
    expect(liquidations).toBeGreaterThan(0);
  });
});

/** The first funding of an open position is left out of everything that the venue says of it. */
class Unfunded extends WatchedAccount {
  /** Units, P&L. */
  hidden: bigint | undefined;
  #trip: { readonly pair: string; readonly place: number; readonly first: string } | undefined;
  readonly #before = new Map<string, { readonly place: number; readonly funding: number }>();

  override says = (position: PositionRecord): PositionRecord => {
    const { pair, size, fills } = position;
    const place = this.account.holdings.get(pair)?.openedFill ?? -1;
    if (fills === undefined && size !== 0 && this.hidden === undefined) {
      const before = this.#before.get(pair);
      const change = before?.place === place ? position.funding - before.funding : 0;
      this.#before.set(pair, { place, funding: position.funding });
      const first = this.account.fills.at(place)?.id;
      if (change !== 0 && first !== undefined) {
        this.hidden = BigInt(Math.round(change * 1e8));
        this.#trip = { pair, place, first };
      }
    }
    const isIt =
      this.#trip?.pair === pair &&
      (fills === undefined
        ? size !== 0 && place === this.#trip.place
        : [...fills].sort(compareTrades)[0]?.id === this.#trip.first);
    if (!isIt || this.hidden === undefined) return position;
    return { ...position, funding: position.funding - Number(this.hidden) / 1e8 };
  };
}

describe('a ledger that is not told of one funding', () => {
  it('has exactly that in suspense', { timeout: 120_000 }, () => {
    let hidden = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const watched = watchHistory(seed, STEPS, {
        watch: (core, account) => new Unfunded(core, account),
        look: (each, now) => {
          each.cut(now);
        },
        every: 4,
      });
      for (const { ledger, hidden: funding, account } of watched) {
        if (funding === undefined) continue;
        hidden++;
        expect(-ledger.total('USD', 'suspense'), `${seed} ${account.name}`).toBe(funding * UNIT);
      }
    }
    expect(hidden).toBeGreaterThan(10);
  });
});
