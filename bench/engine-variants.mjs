// The product's own session over the same columns, one strategy form a variant.
import { filter, map, scan as scanOperator, Subject } from 'rxjs';
import { barInterval, crossover, defineStrategy, flat, holdPosition, quote, sma } from '../src/index.ts';
import { TapeSession } from '../src/backtest/tape-session.ts';
import { Engine } from '../src/engine/engine.ts';
import { NO_LIMITS } from '../src/gate/limits.ts';
import { defineMarket } from '../src/model/market.ts';
import { bindStrategy } from '../src/strategy/instance.ts';
import { FILL_MODELS, QUEUE } from '../src/venue/tape/fill-model.ts';
import { TapeVenue } from '../src/venue/tape/tape-venue.ts';
import { chunksOf } from './columns.mjs';

const market = defineMarket({
  pair: 'USD_BTC_PERP',
  base: 'BTC',
  quote: 'USD',
  price: { min: '0.1', max: '1000000', step: '0.1' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  fees: { maker: '0.0002', taker: '0.0006' },
});

let calls = 0;
let seen = 0;

function crossing() {
  const fast = sma(10);
  const slow = sma(30);
  const cross = crossover();
  return {
    onTrade({ price }) {
      calls++;
      const side = cross.next(fast.next(price), slow.next(price));
      if (side === 'above') return holdPosition('0.01');
      if (side === 'below') return flat();
      return undefined;
    },
  };
}

const strategies = {
  handlers: defineStrategy({ name: 'cross-every-trade', create: crossing }),
  streams: defineStrategy({
    name: 'cross-every-trade',
    streams: ({ trades$ }) => {
      const fast = sma(10);
      const slow = sma(30);
      const cross = crossover();
      return trades$.pipe(
        scanOperator((_, { price }) => {
          calls++;
          return cross.next(fast.next(price), slow.next(price));
        }, undefined),
        filter((side) => side !== undefined),
        map((side) => (side === 'above' ? holdPosition('0.01') : flat())),
      );
    },
  }),
  // The same orders, while something looks at every fill and every bar.
  observed: defineStrategy({
    name: 'cross-every-trade',
    params: { bars: barInterval({ default: '1m' }) },
    create() {
      const fills$ = new Subject();
      const bars$ = new Subject();
      fills$
        .pipe(
          filter(({ quantity }) => quantity > 0),
          map(({ price }) => price),
        )
        .subscribe(() => seen++);
      bars$.pipe(map(({ close }) => close)).subscribe(() => seen++);
      return {
        ...crossing(),
        onFill: (fill) => fills$.next(fill),
        onBar: (bar) => bars$.next(bar),
      };
    },
  }),
  'market-maker': defineStrategy({
    name: 'requote-every-trade',
    create: (_, context) => ({
      onTrade({ price }) {
        calls++;
        const lean = context.position * 20;
        return quote({
          bid: { price: price - 0.3 - lean, quantity: '0.01' },
          ask: { price: price + 0.3 - lean, quantity: '0.01' },
        });
      },
    }),
  }),
};

export function runEngine(name, columns) {
  calls = 0;
  seen = 0;
  const models = name === 'models' ? FILL_MODELS : [QUEUE];
  const latencyMs = name === 'market-maker' ? 0 : 50;
  const sessions = models.map((model) => {
    const strategy = bindStrategy(strategies[name === 'models' ? 'handlers' : name]);
    return new TapeSession({
      engine: new Engine({ strategy, market, seed: '1', warmUp: false }),
      venue: new TapeVenue({
        market,
        deposit: '10000000',
        latency: { placeMs: latencyMs, cancelMs: latencyMs },
        model,
      }),
      limits: NO_LIMITS,
      capital: 10_000_000,
      gaps: [],
    });
  });
  for (const chunk of chunksOf(columns)) for (const session of sessions) session.run(chunk);
  for (const session of sessions) session.end();
  if (calls !== columns.count * models.length)
    throw new Error(`${columns.count} trades must be as many handler calls a model, received ${calls}`);
  const [{ core }] = sessions;
  const { orders, cancels, fills, refusals } = core.counts;
  if (name === 'observed' && seen !== fills + core.engine.bars)
    throw new Error(`${fills} fills and ${core.engine.bars} bars must all be seen, received ${seen}`);
  return { orders, cancels, fills, refusals };
}
