// Memory of open orders: `node --expose-gc bench/open-orders.mjs ORDERS`.
import { VenueCore } from '../src/venue/core/venue-core.ts';
import { catalogueMarket } from '../src/venue/catalogue.ts';

const orders = Number(process.argv[2]);
const market = catalogueMarket('USD_BTC_PERP');
const core = new VenueCore({ markets: [{ market }] });
const accounts = Array.from({ length: 100 }, (_, n) =>
  core.openAccount(`account-${n}`, { USD: '1000000000' }),
);
const used = () => {
  globalThis.gc();
  return process.memoryUsage().heapUsed + process.memoryUsage().external;
};
const before = used();
for (let n = 0; n < orders; n++) {
  const side = n % 2 === 0 ? 'buy' : 'sell';
  const away = 1 + (n % 2_000);
  const placed = core.place(
    accounts[n % accounts.length],
    {
      pair: market.pair,
      terms: {
        side,
        type: 'limit',
        ticks: side === 'buy' ? 600_000 - away : 600_000 + away,
        lots: 1,
        timeInForce: 'GTC',
        postOnly: false,
        reduceOnly: false,
      },
      tag: `tag-${n}`,
    },
    1_700_000_000_000 + n,
  );
  if (placed.kind !== 'accepted' || placed.order.status !== 'active')
    throw new Error('an order did not rest');
}
process.stdout.write(
  `${JSON.stringify({ mibPer100k: ((used() - before) / 2 ** 20) * (100_000 / orders) })}\n`,
);
