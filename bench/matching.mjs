// In-process matching: `node test/run.mjs bench/matching.mjs ORDERS`. A crowd of accounts, each with money and margin checks, places
// limit orders around a wandering price; a third of them trade at once, a third are cancelled again, the rest wait.
import { VenueCore } from '../src/venue/core/venue-core.ts';
import { catalogueMarket } from '../src/venue/catalogue.ts';

const orders = Number(process.argv[2]);
const market = catalogueMarket('USD_BTC_PERP');
const core = new VenueCore({ markets: [{ market }] });
const accounts = Array.from({ length: 10 }, (_, n) => core.openAccount(`account-${n}`, { USD: '100000000' }));
let state = 12_345;
const random = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return state / 0x7fffffff;
};
let now = 1_700_000_000_000;
let price = 600_000;
const place = (side, ticks, timeInForce = 'GTC') => {
  const placed = core.place(
    accounts[Math.floor(random() * accounts.length)],
    {
      pair: market.pair,
      terms: {
        side,
        type: 'limit',
        ticks,
        lots: 1 + Math.floor(random() * 10),
        timeInForce,
        postOnly: false,
        reduceOnly: false,
      },
    },
    now,
  );
  if (placed.kind === 'refused') throw new Error(placed.reason);
  return placed.order;
};

const waiting = [];
function run(count) {
  let fills = 0;
  for (let n = 0; n < count; n++) {
    if (n % 10 === 0) now++;
    if (n % 100 === 0) price += Math.round((random() - 0.5) * 20);
    const side = random() < 0.5 ? 'buy' : 'sell';
    const away = Math.floor(random() * 50) - 15;
    const order = place(side, side === 'buy' ? price - away : price + away);
    fills += order.fills.length;
    if (order.status !== 'active') continue;
    waiting.push(order);
    if (waiting.length > 5_000) {
      const victim = waiting[n % waiting.length];
      waiting[n % waiting.length] = waiting.pop();
      if (victim.status === 'active') core.cancel(victim.account, victim.id, now);
    }
  }
  return fills;
}

run(Math.min(50_000, orders));
const start = process.cpuUsage();
const fills = run(orders);
const { user, system } = process.cpuUsage(start);
process.stdout.write(
  `${JSON.stringify({ ordersPerSecond: Math.round((orders * 1e6) / (user + system)), fills })}\n`,
);
