/** Strategies with a known mistake each, as people make them. */
import type { RuleName } from '../../src/certify/rule.js';
import { defineStrategy, type StrategyDefinition } from '../../src/strategy/definition.js';
import { holdPosition, quote } from '../../src/strategy/want.js';

export interface PlantedBug {
  readonly name: string;
  readonly strategy: StrategyDefinition;
  /** One of the runs of a certificate that shows it. */
  readonly at: readonly [scenario: string, seed: number];
  /** Any of these says it. */
  readonly foundBy: readonly RuleName[];
  /** There are no limits that would keep it from the worst. */
  readonly isUnlimited?: true;
}

const bug = (
  name: string,
  at: readonly [scenario: string, seed: number],
  foundBy: readonly RuleName[],
  create: CreateOf,
): PlantedBug => ({
  name,
  at,
  foundBy,
  strategy: defineStrategy({ name: name.replaceAll(' ', '-'), create }),
});
type CreateOf = (
  _: Record<never, never>,
  context: Parameters<Extract<StrategyDefinition, { create: unknown }>['create']>[1],
) => ReturnType<Extract<StrategyDefinition, { create: unknown }>['create']>;

const SIZE = 0.01;
/** On the grid of the market. */
const ticked = (price: number) => Math.round(price * 10) / 10;
const EVERY = 20;

/** Every so many trades, from the first on that counts. */
function every(
  trades: number,
  act: (price: number, turn: number) => void,
): (trade: { price: number }) => void {
  let seen = 0;
  return ({ price }) => {
    if (seen++ % trades === 0) act(price, seen / trades);
  };
}

export const BUGS: readonly PlantedBug[] = [
  bug('submits again while the first is unanswered', ['burst', 1], ['twin-orders'], (_, context) => {
    let bid: number | undefined;
    return {
      onTrade({ price }) {
        if (context.warmingUp) return;
        bid ??= ticked(price * 0.99);
        // It looks for an order id that is there only once the venue has answered.
        if (context.workingOrders.some(({ orderId }) => orderId !== undefined)) return;
        context.submit({ side: 'buy', quantity: SIZE, price: bid });
      },
      onTimer: () => undefined,
    };
  }),
  bug(
    'buys the whole again after a part of it filled',
    ['calm', 2],
    ['twin-orders', 'refusals', 'position'],
    (_, context) => ({
      onTrade: every(EVERY, (price) => {
        if (!context.warmingUp) context.submit({ side: 'buy', quantity: SIZE, price: ticked(price * 1.001) });
      }),
      onFill({ side }) {
        context.submit({ side, quantity: SIZE });
      },
    }),
  ),
  bug('moves its quotes by a tick at every trade', ['calm', 1], ['churn'], () => {
    let up = false;
    let around: number | undefined;
    return {
      onTrade({ price }) {
        around ??= price;
        if (Math.abs(price / around - 1) > 0.002) around = price;
        up = !up;
        const bid = ticked(around * 0.996 + (up ? 0.1 : 0));
        return quote({ bid: { price: bid, quantity: SIZE } });
      },
    };
  }),
  bug(
    'requotes both sides at every trade and poll',
    ['calm', 1],
    ['orders-per-minute', 'refusals', 'churn'],
    (_, context) => {
      let price = Number.NaN;
      const quotes = () => {
        const shift = context.random.next() * 0.002;
        return quote({
          bid: { price: price * (0.994 - shift), quantity: SIZE },
          ask: { price: price * (1.006 + shift), quantity: SIZE },
        });
      };
      const again = () => context.setTimer('again', context.now + 500);
      return {
        onTrade(trade) {
          if (Number.isNaN(price)) again();
          price = trade.price;
          return quotes();
        },
        onTimer() {
          again();
          return quotes();
        },
      };
    },
  ),
  bug('pyramids without a bound', ['calm', 1], ['refusals', 'position'], (_, context) => ({
    onTrade({ price }) {
      if (!context.warmingUp && context.workingOrders.length === 0 && price > 0) {
        context.submit({ side: 'buy', quantity: SIZE });
      }
    },
  })),
  bug('never cancels what it submitted', ['burst', 1], ['open-orders', 'refusals'], (_, context) => ({
    onTrade: every(4, (price, turn) => {
      if (!context.warmingUp) {
        context.submit({ side: 'buy', quantity: 0.001, price: ticked(price * 0.985 - (turn % 50) / 10) });
      }
    }),
  })),
  bug('sells more to close a short', ['gap', 2], ['refusals', 'position'], (_, context) => {
    let first = Number.NaN;
    return {
      onTrade({ price }) {
        if (context.warmingUp) return;
        if (Number.isNaN(first)) {
          first = price;
          context.submit({ side: 'sell', quantity: SIZE });
        } else if (context.position < 0 && context.workingOrders.length === 0) {
          // Closes with the side of a long.
          context.submit({ side: 'sell', quantity: SIZE });
        }
      },
    };
  }),
  bug('sells a fixed quantity whatever it holds', ['burst', 1], ['refusals', 'position'], (_, context) => ({
    onTrade: every(3, (_price, turn) => {
      if (context.warmingUp) return;
      if (Math.round(turn) % 4 === 1) context.submit({ side: 'buy', quantity: SIZE });
      else context.submit({ side: 'sell', quantity: SIZE });
    }),
  })),
  bug('spins on a timer that is due at once', ['calm', 1], ['timers'], (_, context) => ({
    onTrade() {
      context.setTimer('now', context.now);
    },
    onTimer() {
      context.setTimer('now', context.now);
    },
  })),
  bug('sets a timer for every millisecond', ['calm', 1], ['timers'], (_, context) => {
    let started = false;
    return {
      onTrade() {
        if (started) return;
        started = true;
        context.setTimer('soon', context.now + 1);
      },
      onTimer() {
        context.setTimer('soon', context.now + 1);
      },
    };
  }),
  bug('throws on a gap', ['calm', 7], ['throws'], () => ({
    onTrade: () => undefined,
    onGap() {
      throw new Error('this cannot happen');
    },
  })),
  bug('throws when the price has moved far', ['flash-crash', 1], ['throws'], () => {
    let before = Number.NaN;
    return {
      onTrade({ price }) {
        if (Math.abs(price / before - 1) > 0.015) throw new Error(`a trade at ${price} cannot be`);
        before = price;
      },
    };
  }),
  bug('quotes that cross each other', ['calm', 1], ['self-cross'], (_, context) => ({
    onTrade: every(EVERY, (price) => {
      if (context.warmingUp) return;
      for (const order of context.workingOrders) context.cancel(order.intentId);
      context.submit({ side: 'buy', quantity: SIZE, price: ticked(price * 0.995) });
      context.submit({ side: 'sell', quantity: SIZE, price: ticked(price * 0.994) });
    }),
  })),
  {
    isUnlimited: true,
    ...bug('bets more than twice what it has and looks at no mark', ['calm', 1], ['position'], () => {
      let target: string | undefined;
      return {
        onTrade({ price }) {
          target ??= String(Math.floor((2.5 * 100_000) / price));
          return holdPosition(target);
        },
      };
    }),
  },
  {
    isUnlimited: true,
    ...bug('asks for more than the venue lends', ['calm', 1], ['rejections', 'churn'], (_, context) => ({
      onTrade() {
        if (!context.warmingUp && context.workingOrders.length === 0) {
          context.submit({ side: 'buy', quantity: 20 });
        }
      },
    })),
  },
  bug('asks again and again for what is refused', ['calm', 1], ['refusals'], (_, context) => ({
    onTrade({ price }) {
      if (!context.warmingUp) context.submit({ side: 'buy', quantity: 1, price: ticked(price * 0.99) });
    },
  })),
  bug('prices that are on no grid', ['calm', 1], ['filters'], (_, context) => ({
    onTrade: every(EVERY, (price) => {
      if (!context.warmingUp) context.submit({ side: 'buy', quantity: SIZE, price: price * 0.99123456 });
    }),
  })),
  bug('quotes what it divided by zero', ['calm', 1], ['filters'], () => {
    let last = Number.NaN;
    return {
      onTrade({ price }) {
        const speed = 1 / (price - last);
        last = price;
        return quote({ bid: { price: price * 0.99 - Math.min(speed, 0) / speed, quantity: SIZE } });
      },
    };
  }),
  bug('counts its position by itself and forgets it', ['gap', 2], ['refusals', 'position'], (_, context) => {
    let held = 0;
    return {
      onTrade() {
        if (context.warmingUp || held > 0 || context.workingOrders.length > 0) return;
        context.submit({ side: 'buy', quantity: 0.02 });
      },
      onFill({ side, quantity, intentId }) {
        if (intentId !== undefined) held += side === 'buy' ? quantity : -quantity;
      },
    };
  }),
  bug(
    'replaces an order that the venue took back for ever',
    ['burst', 1],
    ['churn', 'refusals', 'orders-per-minute'],
    (_, context) => ({
      onTrade({ price }) {
        if (context.warmingUp || context.workingOrders.length > 0) return;
        // Post-only across the spread: it is taken back each time.
        context.submit({ side: 'buy', quantity: SIZE, price: ticked(price * 1.01), postOnly: true });
      },
    }),
  ),
];
