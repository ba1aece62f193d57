import type { BacktestResult } from '../../backtest/result.js';
import type { Engine } from '../../engine/engine.js';

/** Warnings after a backtest about events that the strategy waits for, but that the recording does not contain. */
export function unheardWarnings(
  strategy: string,
  { pair, kind }: { readonly pair: string; readonly kind: BacktestResult['data']['kind'] },
  engine: Engine,
): readonly string[] {
  const warnings: string[] = [];
  const unheard = (handler: string, stream: string) =>
    `warning: ${strategy} ${engine.isStreams ? `reads ${stream}` : `has ${handler}`}, and nothing came of it: the recording of ${pair}`;
  if (kind === 'bars' && engine.readsTrades) {
    warnings.push(
      `${unheard('onTrade', 'trades$')} has bars and no trades ` +
        '(a stop or an entry that is decided there was never decided; decide by bars, or import trades)',
    );
  }
  if (engine.missesTickers) {
    warnings.push(
      `${unheard('onTicker', 'ticker$')} has no tickers in this stretch ` +
        '(tickwright record writes them, data import and the sample have none; read trades or bars instead, or record the market)',
    );
  }
  return warnings;
}
