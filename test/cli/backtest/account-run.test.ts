import { NO_RATES } from '../../../src/storage/facts/recorded-rates.js';
import { expect, it } from 'vitest';
import { finishAccountRun } from '../../../src/cli/backtest/account-run.js';
import type { LoadedStrategy } from '../../../src/cli/strategy/strategy.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { defineMarket } from '../../../src/model/market.js';
import type { Recording } from '../../../src/storage/recording/recording.js';

function recording(pair: string, kind: Recording['kind'] = 'trades'): Recording {
  const [quote = '', base = ''] = pair.split('_');
  const step = { min: '0.1', max: '1000', step: '0.1' };
  const fees = { maker: '0', taker: '0' };
  return {
    pair,
    kind,
    folders: [],
    days: [],
    market: defineMarket({ pair, base, quote, price: step, quantity: step, fees }),
    marketSource: 'given',
    rates: NO_RATES,
    marginChangedAt: undefined,
    gaps: [],
    barMs: kind === 'bars' ? 60_000 : undefined,
    async *chunks() {},
    async *bars() {},
    async *facts() {},
  };
}

const OPTIONS = {
  capital: '1',
  fill: 'all',
  latencyMs: null,
  jitterMs: null,
  slippageTicks: null,
  seed: 1,
} as const;

it.each([
  [
    [recording('USD_BTC_PERP'), recording('USDT_ETH_PERP')],
    'strategies on one account must be on pairs of one quote asset, received USD_BTC_PERP in USD and USDT_ETH_PERP in USDT',
  ],
  [
    [recording('USD_BTC_PERP'), recording('USD_ETH_PERP', 'bars')],
    'strategies on one account must run over trades, received bars of USD_ETH_PERP',
  ],
])('what one account cannot trade together is refused before anything is run', async (recordings, message) => {
  const parts = recordings.map((each) => ({ strategy: {} as LoadedStrategy, recording: each, limits: {} }));
  const request = { parts, paths: [], from: undefined, to: undefined, options: OPTIONS };
  await expect(finishAccountRun(thisMachine(), request)).rejects.toThrow(message);
});
