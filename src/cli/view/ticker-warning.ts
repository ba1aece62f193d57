import type { Engine } from '../../engine/engine.js';

/** Of a backtest that is over: a strategy that waited for tickers, where none were recorded, has done nothing by them. */
export function tickerWarning(strategy: string, pair: string, engine: Engine): string | undefined {
  if (!engine.missesTickers) return undefined;
  const reads = engine.isStreams ? 'reads ticker$' : 'has onTicker';
  return (
    `warning: ${strategy} ${reads}, and nothing came of it: the recording of ${pair} has no tickers in this stretch ` +
    '(tickwright record writes them, data import and the sample have none; read trades or bars instead, or record the market)'
  );
}
