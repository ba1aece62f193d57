/** Streaming indicators: `next(x)` once a value or bar, NaN until there is enough to say something. */
export { type Adx, type AdxValue, adx } from './adx.js';
export { type Atr, atr } from './atr.js';
export { type Bollinger, type BollingerOptions, type BollingerValue, bollinger } from './bollinger.js';
export { type Cci, cci } from './cci.js';
export { type Crossover, crossover } from './crossover.js';
export { ema, wilder } from './ema.js';
export { highest, lowest } from './extremes.js';
export {
  type Candle,
  type Indicator,
  typicalPrice,
  type VolumeCandle,
  type VolumeIndicator,
} from './indicator.js';
export { type Macd, type MacdPeriods, type MacdValue, macd } from './macd.js';
export { mfi } from './mfi.js';
export { obv } from './obv.js';
export { type ParabolicSar, parabolicSar, type SarOptions } from './parabolic-sar.js';
export { roc } from './roc.js';
export { rsi } from './rsi.js';
export { type MovingAverage, sma } from './sma.js';
export { standardDeviation } from './standard-deviation.js';
export {
  type Stochastic,
  type StochasticPeriods,
  type StochasticValue,
  stochastic,
  type WilliamsR,
  williamsR,
} from './stochastic.js';
export { type Print, type Vwap, vwap } from './vwap.js';
export { wma } from './wma.js';
