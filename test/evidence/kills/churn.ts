import { decimal, defineStrategy, holdPosition, integer, orders, quote } from 'tickwright';

/**
 * Changes its mind many times a second, between all kinds of wants: so that whenever the process dies, something is
 * under way. It is right about nothing, and not meant to be.
 */
export default defineStrategy({
  name: 'churn',
  params: {
    most: decimal({ default: '0.02', min: 0 }), // base units, long or short
    every: integer({ default: 50, min: 10 }), // ms
  },
  create({ most, every }, context) {
    const { random } = context;
    const smallest = 0.001;
    const steps = Math.max(1, Math.round(most.toNumber() / smallest));
    let due = 0;

    function decided(price: number) {
      if (context.now < due) return undefined;
      due = context.now + every * (0.5 + random.next());
      const size = smallest * random.integer(1, Math.max(1, Math.floor(steps / 4)));
      const kind = random.next();
      if (kind < 0.4) return holdPosition((smallest * random.integer(-steps, steps)).toFixed(3));
      const away = price * 0.0002 * random.next();
      if (kind < 0.7) {
        return quote({
          bid: { price: price - away, quantity: size.toFixed(3) },
          ask: { price: price + away, quantity: size.toFixed(3) },
        });
      }
      // Some of them trade at once, some rest.
      const ranks = [-3, -2, -1, 1, 2, 3].slice(random.integer(0, 2), random.integer(4, 6));
      return orders(
        ranks.map((rank, index) => ({
          side: rank < 0 ? ('buy' as const) : ('sell' as const),
          quantity: (smallest * (index + 1)).toFixed(3),
          price: (price + (rank - 1.5 * Math.sign(rank)) * away).toFixed(1),
        })),
      );
    }

    return {
      onTrade: ({ price }) => decided(price),
    };
  },
});
