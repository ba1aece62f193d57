import type { CoreOrder } from '../../../src/venue/core/account.js';
import type { VenueCore } from '../../../src/venue/core/venue-core.js';

/**
 * The laws of `money.md` §13, computed from the raw accounts with nothing of the core's own arithmetic. Returns what is
 * broken, in words; an empty list when all holds.
 */
export function brokenLaws(core: VenueCore): string[] {
  return [
    ...sizes(core),
    ...cash(core),
    ...groups(core),
    ...balances(core),
    ...quantities(core),
    ...books(core),
  ];
}

/** Per pair Σ s = 0 over all accounts, the venue's own included. */
function sizes(core: VenueCore): string[] {
  return core.markets
    .filter(({ contract }) => contract === 'linear')
    .map(({ pair }) => {
      let sum = 0;
      for (const account of core.accounts) sum += account.holdings.get(pair)?.lots ?? 0;
      return sum === 0 ? '' : `${pair}: the sizes of all accounts add up to ${sum} lots`;
    })
    .filter((text) => text !== '');
}

/** Per asset Σ(W + D + ΣM − ΣK) over all accounts = 0, deposits having come out of `outside`. */
function cash(core: VenueCore): string[] {
  const sums = new Map<string, bigint>();
  for (const account of core.accounts) {
    for (const [asset, balance] of account.balances) {
      let sum = balance.cash + balance.withdrawing;
      for (const holding of account.holdings.values()) {
        if (holding.cash === balance) sum += holding.margin - holding.cost;
      }
      sums.set(asset, (sums.get(asset) ?? 0n) + sum);
    }
  }
  return [...sums]
    .filter(([, sum]) => sum !== 0n)
    .map(([asset, sum]) => `${asset}: ${sum} units came from nowhere`);
}

/** Every margin group at rest has equity of 0 or more; cash is not negative where no cross position carries it. */
function groups(core: VenueCore): string[] {
  const broken: string[] = [];
  for (const account of core.accounts) {
    if (account.kind !== 'customer') continue;
    for (const [asset, balance] of account.balances) {
      let equity = balance.cash;
      let positions = 0;
      for (const holding of account.holdings.values()) {
        if (holding.cash !== balance || holding.lots === 0) continue;
        const { mark, market } = holding.state;
        if (mark === undefined) continue;
        const unrealised = BigInt(holding.lots) * BigInt(mark) * market.unitsPerTickLot - holding.cost;
        if (holding.leverage === undefined) {
          equity += unrealised;
          positions++;
        } else if (holding.margin + unrealised < 0n) {
          broken.push(`${account.name} ${market.pair}: isolated equity is ${holding.margin + unrealised}`);
        }
      }
      if (equity < 0n)
        broken.push(`${account.name} ${asset}: equity is ${equity} with ${positions} positions`);
    }
    for (const holding of account.holdings.values()) {
      if (holding.lots === 0 && (holding.cost !== 0n || holding.margin !== 0n)) {
        broken.push(`${account.name}: a flat position keeps cost ${holding.cost}, margin ${holding.margin}`);
      }
    }
  }
  for (const account of core.accounts) {
    if (account.kind !== 'insurance') continue;
    for (const [asset, { cash: held }] of account.balances) {
      if (held < 0n) broken.push(`insurance of ${asset} is ${held}`);
    }
  }
  return broken;
}

/** What the wire shows: free and locked never negative, and the four add up to W + ΣM + D. */
function balances(core: VenueCore): string[] {
  const broken: string[] = [];
  for (const account of core.accounts) {
    if (account.kind !== 'customer') continue;
    for (const shown of core.balances(account)) {
      const balance = account.balances.get(shown.asset);
      let held = (balance?.cash ?? 0n) + (balance?.withdrawing ?? 0n);
      for (const holding of account.holdings.values()) {
        if (holding.cash === balance) held += holding.margin;
      }
      const sum = shown.free + shown.locked + shown.margin + shown.withdrawn;
      if (sum !== held) broken.push(`${account.name} ${shown.asset}: shows ${sum} of ${held}`);
      if (shown.free < 0n || shown.locked < 0n) {
        broken.push(`${account.name} ${shown.asset}: shows free ${shown.free}, locked ${shown.locked}`);
      }
    }
  }
  return broken;
}

/** qty_orig = qty_filled + qty_remaining, and the fills of an order add up to what it filled. */
function quantities(core: VenueCore): string[] {
  const broken: string[] = [];
  for (const account of core.accounts) {
    if (account.kind !== 'customer') continue;
    for (const order of core.orders(account, 'all', { limit: 1_000 })) {
      const filled = order.fills.reduce((sum, { lots }) => sum + lots, 0);
      if (order.terms.lots !== order.filled + order.leaves || filled !== order.filled) {
        broken.push(
          `order ${order.id}: ${order.terms.lots} = ${order.filled} + ${order.leaves}, fills ${filled}`,
        );
      }
    }
  }
  return broken;
}

/** No bid at or above an ask, and no working order without a place or with nothing left. */
function books(core: VenueCore): string[] {
  const broken: string[] = [];
  for (const { pair } of core.markets) {
    let bid: CoreOrder | undefined;
    let ask: CoreOrder | undefined;
    for (const account of core.accounts) {
      const holding = account.holdings.get(pair);
      for (let order = holding?.firstWorking; order !== undefined; order = order.nextWorking) {
        if (order.status !== 'active' || order.leaves <= 0) {
          broken.push(`order ${order.id} works with status ${order.status} and ${order.leaves} left`);
        }
        if (order.side === 'buy' && (bid === undefined || order.limitTicks > bid.limitTicks)) bid = order;
        if (order.side === 'sell' && (ask === undefined || order.limitTicks < ask.limitTicks)) ask = order;
      }
    }
    if (bid !== undefined && ask !== undefined && bid.limitTicks >= ask.limitTicks) {
      broken.push(`${pair}: bid ${bid.limitTicks} of ${bid.id} meets ask ${ask.limitTicks} of ${ask.id}`);
    }
  }
  return broken;
}
