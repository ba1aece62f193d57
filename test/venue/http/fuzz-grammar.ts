/** Requests that could come from a sensible client: one rule for every endpoint of the route table and the admin door. */
import type { Account } from '../../../src/venue/core/account.js';
import { ADMIN_ENDPOINTS } from '../../../src/venue/http/admin-endpoints.js';
import { ENDPOINTS } from '../../../src/venue/http/routes.js';
import type { Dice } from './fuzz-dice.js';
import { type FuzzVenue, HOVERS, KEYS, type Key, PAIRS, TAGS } from './fuzz-venue.js';

export type Field = [name: string, value: string];

export interface Draft {
  readonly door: 'public' | 'admin';
  readonly method: string;
  readonly path: string;
  readonly access: 'public' | 'key' | 'signed' | 'admin';
  readonly fields: Field[];
  readonly who: Key;
}

export class Grammar {
  readonly #venue: FuzzVenue;
  readonly #dice: Dice;

  constructor(venue: FuzzVenue, dice: Dice) {
    this.#venue = venue;
    this.#dice = dice;
  }

  draft(): Draft {
    const dice = this.#dice;
    const who = dice.pick(KEYS);
    if (dice.chance(0.05)) {
      const { path } = dice.pick(ADMIN_ENDPOINTS);
      return {
        door: 'admin',
        method: 'POST',
        path,
        access: 'admin',
        fields: this.#adminFields(path, who),
        who,
      };
    }
    // Orders are most of what a venue gets, and what gives all the rest something to show.
    const wanted = dice.chance(0.35)
      ? dice.pick(['/auth/order', '/auth/order', '/auth/order/bulk'])
      : undefined;
    const { method, path, access } =
      ENDPOINTS.find((endpoint) => endpoint.path === wanted) ?? dice.pick(ENDPOINTS);
    const fields = method === 'GET' ? this.#query(path, who) : this.#body(path, who);
    return { door: 'public', method, path, access, fields, who };
  }

  #query(path: string, who: Key): Field[] {
    const dice = this.#dice;
    switch (path) {
      case '/order':
        return [['id', this.#orderId(who)]];
      case '/position':
        return [['pair', this.#pair()]];
      case '/depth':
        return this.#some([['pair', this.#pair()]], [['limit', String(dice.integer(1, 50))]]);
      case '/time':
      case '/pairs':
      case '/assets':
      case '/personal':
      case '/balances':
      case '/account':
      case '/active_positions':
        return [];
      default: {
        const now = this.#venue.time.wall();
        const isRequired = path === '/trades' || path === '/ohlcv';
        const pair: Field = ['pair', this.#pair()];
        return this.#some(isRequired ? [pair] : [], [
          ...(isRequired ? [] : [pair]),
          ['start', String(now - dice.integer(0, 10_000))],
          ['end', String(now + dice.integer(-1_000, 1_000))],
          ['limit', String(dice.integer(1, 1_500))],
          ...(path === '/ohlcv' ? [['interval', dice.pick(['1m', '3m', '5m', '1h', '24h'])] as Field] : []),
        ]);
      }
    }
  }

  #body(path: string, who: Key): Field[] {
    const dice = this.#dice;
    switch (path) {
      case '/auth/order':
        return [...this.#order(this.#pair()), ...this.#stamp()];
      case '/auth/order/bulk': {
        const pair = this.#pair();
        const count = dice.chance(0.02) ? dice.integer(51, 60) : dice.integer(1, 4);
        const orders = Array.from({ length: count }, (_, at) => {
          const order = this.#order(dice.chance(0.02) ? this.#pair() : pair);
          const kept = dice.chance(0.05) ? order : order.filter(([name]) => name !== 'reduce_only');
          return kept.map(([name, value]): Field => [`orders[${at}][${name}]`, value]);
        });
        return [...orders.flat(), ...this.#stamp()];
      }
      case '/auth/cancel':
        return [['id', this.#orderId(who)], ...this.#stamp()];
      case '/auth/cancel/bulk': {
        const style = dice.pick(['indexed', 'indexed', 'pushed', 'one', 'none']);
        if (style === 'none') return this.#stamp();
        if (style === 'one') return [['ids', this.#orderId(who)]];
        const ids = Array.from({ length: dice.integer(1, 5) }, () => this.#orderId(who));
        return ids.map((id, at) => [style === 'indexed' ? `ids[${at}]` : 'ids[]', id]);
      }
      case '/auth/close': {
        const pair = this.#pair();
        return this.#some(
          [['pair', pair]],
          [
            ['qty', this.#quantity(pair)],
            ['price', this.#price(pair)],
          ],
        );
      }
      case '/auth/withdraw':
        return [
          ['asset', dice.pick(['USD', 'USD', 'BTC', 'TWT'])],
          ['qty', dice.pick(['10', '12', '25.5', '0.001', '0.01', '150'])],
          ['address', 'bank-7'],
          ['timestamp', String(this.#venue.time.wall())],
        ];
      case '/leverage':
        return [
          ['pair', this.#pair()],
          ['leverage', dice.pick(['0', '1', '2.5', '10', '50', '99', '100', '101'])],
        ];
      case '/fund':
      case '/draw':
        return [
          ['pair', this.#pair()],
          ['qty', dice.pick(['0.5', '1', '3.25', '10', '0.00000001'])],
        ];
      default:
        throw new Error(`the grammar must have a rule for ${path}`);
    }
  }

  #adminFields(path: string, who: Key): Field[] {
    const dice = this.#dice;
    switch (path) {
      case '/index': {
        const pair = dice.pick(PAIRS);
        const index = (HOVERS[pair] as number) * (0.97 + dice.integer(0, 6) / 100);
        return [
          ['pair', pair],
          ['price', String(Math.round(index))],
        ];
      }
      case '/market':
        // A market that is halted is let go on more often than not.
        return [
          ['pair', dice.pick(PAIRS)],
          ['active', dice.chance(0.95) ? 'true' : 'false'],
        ];
      case '/deposit': {
        const deposit: Field[] = [
          ['account', who.account],
          ['asset', dice.pick(['USD', 'BTC', 'ETH', 'TWT'])],
          ['qty', dice.pick(['2', '5.5', '0.25'])],
        ];
        return this.#some(deposit, [
          ['status', dice.pick(['PENDING', 'COMPLETED'])],
          ['hash', 'f00d'],
          ['from', 'x'],
        ]);
      }
      case '/deposit/confirm':
        return this.#some([['id', this.#transferId()]], [['confirmations', String(dice.integer(1, 3))]]);
      case '/withdrawal/confirm':
      case '/withdrawal/drop':
        return [['id', this.#transferId()]];
      case '/insurance':
        return this.#some(
          [],
          [
            ['asset', 'USD'],
            ['qty', '5'],
          ],
        );
      default:
        throw new Error(`the grammar must have a rule for ${path}`);
    }
  }

  #order(pair: string): Field[] {
    const dice = this.#dice;
    const order: Field[] = [
      ['pair', pair],
      ['side', dice.pick(['BUY', 'SELL'])],
      ['qty', this.#quantity(pair)],
    ];
    if (dice.chance(0.85)) order.push(['price', this.#price(pair)]);
    return this.#some(
      order,
      [
        ['time_in_force', dice.pick(['GTC', 'GTC', 'IOC', 'FOK'])],
        ['post_only', dice.pick(['true', 'false', 'false'])],
        ['reduce_only', dice.pick(['true', 'false', 'false'])],
        ['hidden', dice.pick(['true', 'false'])],
        ['oco', dice.pick(TAGS)],
        ['icebergs', String(dice.integer(2, 5))],
        ['trigger_price', this.#price(pair)],
        ['close_on_trigger', dice.pick(['true', 'false', 'false'])],
        ['leverage', dice.pick(['0', '3', '20.5'])],
      ],
      0.12,
    );
  }

  /** Mostly less than a position may be. */
  #quantity(pair: string): string {
    const dice = this.#dice;
    if (pair === 'USD_ETH_PERP') return (dice.integer(1, dice.chance(0.05) ? 5_000 : 300) / 100).toFixed(2);
    return (dice.integer(1, dice.chance(0.05) ? 5_000 : 60) / 1_000).toFixed(3);
  }

  /** Within a thousandth of where the price hovers, now and then far off. */
  #price(pair: string): string {
    const dice = this.#dice;
    const hover = HOVERS[pair] ?? 60_000;
    const off = dice.chance(0.05) ? dice.integer(-3_000, 3_000) / 10_000 : dice.integer(-10, 10) / 10_000;
    return String(Math.max(0.5, Math.round(hover * (1 + off) * 2) / 2));
  }

  #pair(): string {
    const dice = this.#dice;
    return dice.chance(0.6) ? 'USD_BTC_PERP' : dice.pick(PAIRS);
  }

  #stamp(): Field[] {
    const dice = this.#dice;
    const stamp = this.#venue.time.wall() - dice.integer(-900, 4_900);
    return this.#some(
      [],
      [
        ['timestamp', dice.chance(0.2) ? `${stamp}.25` : String(stamp)],
        ['recv_window', '5000'],
      ],
      0.3,
    );
  }

  /** Mostly of an order that works or waits; else done, somebody else's or none. */
  #orderId(who: Key): string {
    const dice = this.#dice;
    const account = this.#venue.core.account(
      dice.chance(0.9) ? who.account : dice.pick(KEYS).account,
    ) as Account;
    const ids = [...account.waiting].map(({ id }) => id);
    for (const { firstWorking } of account.holdings.values()) {
      for (let order = firstWorking; order !== undefined; order = order.nextWorking) ids.push(order.id);
    }
    const done = account.doneOrders.newest(dice.integer(0, 20))?.id;
    if (done !== undefined && dice.chance(0.2)) return done;
    return ids.length === 0 ? String(dice.integer(1, 9_999)) : dice.pick(ids);
  }

  #transferId(): string {
    const { wallet, accounts } = this.#venue.core;
    const dice = this.#dice;
    const some = accounts
      .filter(({ isCustomer }) => isCustomer)
      .flatMap((account) => [...wallet.withdrawals(account), ...wallet.deposits(account)])
      .filter(({ status }) => status === 'pending');
    return some.length === 0 ? String(dice.integer(1, 50)) : dice.pick(some).id;
  }

  /** `always`, and of `others` each one with a probability. */
  #some(always: readonly Field[], others: readonly Field[], probability = 0.25): Field[] {
    const chosen = others.filter(() => this.#dice.chance(probability));
    // An event says nothing without its price.
    if (chosen.some(([name]) => name === 'trigger_price') && this.#dice.chance(0.6)) {
      chosen.push(['trigger_event', this.#dice.pick(['MARK_PRICE', 'INDEX_PRICE', 'LAST_PRICE'])]);
    }
    return [...always, ...chosen];
  }
}
