/** An account of the simulated venue and a ledger that knows it by wire records only: what a client would be told. */
import {
  decodeBalances,
  decodeCompletedPositions,
  decodePositions,
} from '../../src/client/decode-account.js';
import { decodeFill } from '../../src/client/decode-orders.js';
import { decodeDeposits, decodeWithdrawals } from '../../src/client/decode-transfers.js';
import type { Cut, CutReport } from '../../src/ledger/cut.js';
import { Ledger, type LedgerFacts } from '../../src/ledger/ledger.js';
import {
  cutOf,
  fillEntryOf,
  precisionsOf,
  roundTripEntryOf,
  transferEntryOf,
} from '../../src/ledger/read-records.js';
import type { FillRecord, PositionRecord } from '../../src/model/venue-records.js';
import type { Account, CoreFill } from '../../src/venue/core/account.js';
import type { VenueCore } from '../../src/venue/core/venue-core.js';
import { balancesRecord } from '../../src/venue/http/records/balance-record.js';
import { encodeFill } from '../../src/venue/http/records/fill-record.js';
import { completedPositionRecord, positionsRecord } from '../../src/venue/http/records/position-record.js';
import { depositRecord, withdrawalRecord } from '../../src/venue/http/records/transfer-record.js';

export function factsOf(core: VenueCore, funding: LedgerFacts['funding'] = 'stated'): LedgerFacts {
  return {
    markets: new Map(core.markets.map((market) => [market.pair, market])),
    precisions: precisionsOf(core.markets, core.wallet.assets),
    funding,
  };
}

/** As it went over the wire. */
export function sent(record: unknown): unknown {
  return JSON.parse(JSON.stringify(record)) as unknown;
}

export class WatchedAccount {
  readonly account: Account;
  readonly facts: LedgerFacts;
  readonly ledger: Ledger;
  /** Which fills the list shows. */
  shows: (fill: FillRecord) => boolean = () => true;
  /** What positions, open and completed, say. */
  says: (position: PositionRecord) => PositionRecord = (position) => position;
  readonly #core: VenueCore;
  #place = 0;

  constructor(core: VenueCore, account: Account, funding: LedgerFacts['funding'] = 'stated') {
    this.#core = core;
    this.account = account;
    this.facts = factsOf(core, funding);
    this.ledger = new Ledger(this.facts);
  }

  /** Reads what is new, then cuts. */
  cut(time: number): CutReport {
    if (!this.ledger.isOpen) {
      this.#place = this.account.fills.pushed;
      for (const transfer of this.transfers()) this.known.add(transfer.id + transfer.kind);
      return this.ledger.cut(this.shown(time));
    }
    this.readFills();
    for (const transfer of this.transfers()) {
      if (!this.known.has(transfer.id + transfer.kind)) this.ledger.transfer(transfer);
    }
    if (this.ledger.wanted.length > 0) {
      for (const record of this.completed()) {
        const entry = roundTripEntryOf(this.facts, this.says(record));
        if (entry !== undefined) this.ledger.roundTrip(entry);
      }
    }
    return this.ledger.cut(this.shown(time));
  }

  readonly known = new Set<string>();

  readFills(): void {
    const { fills } = this.account;
    for (; this.#place < fills.pushed; this.#place++) {
      const record = this.recordOf(fills.at(this.#place) as CoreFill);
      if (this.shows(record)) this.give(record);
    }
  }

  give(record: FillRecord): void {
    const entry = fillEntryOf(this.facts, record);
    if (entry === undefined) throw new Error(`fill ${record.id} cannot be read`);
    this.ledger.fill(entry);
  }

  recordOf(fill: CoreFill): FillRecord {
    return decodeFill(sent(encodeFill({ core: this.#core }, fill)));
  }

  completed(): readonly PositionRecord[] {
    const whose = { core: this.#core, account: this.account };
    return decodeCompletedPositions(
      sent(
        this.#core
          .completedPositions(this.account, { limit: 1_000 })
          .map((position) => completedPositionRecord(whose, position)),
      ),
    );
  }

  transfers() {
    const { wallet } = this.#core;
    const deposits = decodeDeposits(sent(wallet.deposits(this.account, { limit: 1_000 }).map(depositRecord)));
    const withdrawals = decodeWithdrawals(
      sent(wallet.withdrawals(this.account, { limit: 1_000 }).map(withdrawalRecord)),
    );
    return [
      ...deposits.map((record) => transferEntryOf(this.facts, 'deposit', record)),
      ...withdrawals.map((record) => transferEntryOf(this.facts, 'withdrawal', record)),
    ].filter((entry) => entry !== undefined);
  }

  shown(time: number): Cut {
    const whose = { core: this.#core, account: this.account };
    const positions = decodePositions(sent(positionsRecord(whose, this.#core.markets)));
    const balances = decodeBalances(sent(balancesRecord(this.#core.balances(this.account))));
    return cutOf(this.facts, {
      time,
      balances,
      positions: positions.map((position) => this.says(position)),
      isEveryPair: true,
    });
  }
}
