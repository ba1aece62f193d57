import { checkVolume, isCandle, type VolumeIndicator } from './indicator.js';

/** On-balance volume, base units: the volume of bars that closed higher, less that of those that closed lower. */
export function obv(): VolumeIndicator {
  let last = Number.NaN;
  let balance = Number.NaN;
  return {
    next(bar) {
      const { close, volume } = bar;
      if (!isCandle(bar) || !Number.isFinite(volume)) {
        checkVolume(bar);
        return balance;
      }
      if (Number.isNaN(last)) balance = volume;
      else if (close > last) balance += volume;
      else if (close < last) balance -= volume;
      last = close;
      return balance;
    },
  };
}
