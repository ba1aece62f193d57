import { checkVolume, typicalPrice, type VolumeIndicator } from './indicator.js';
import { checkPeriod } from './period.js';
import { Window } from './window.js';

/**
 * Money flow index, 0 to 100: what part of the turnover of the last `period` bars came with a higher typical price than the bar
 * before. NaN until there were as many; 50 where none came with another price.
 */
export function mfi(period = 14): VolumeIndicator {
  checkPeriod('an mfi', period);
  const gains = new Window(period);
  const losses = new Window(period);
  let last = Number.NaN;
  let index = Number.NaN;
  return {
    next(bar) {
      const typical = typicalPrice(bar);
      const flow = typical * bar.volume;
      if (!Number.isFinite(flow)) {
        checkVolume(bar);
        return index;
      }
      const move = typical - last;
      last = typical;
      if (Number.isNaN(move)) return index;
      gains.push(move > 0 ? flow : 0);
      losses.push(move < 0 ? flow : 0);
      if (!gains.isFull) return index;
      const up = gains.sumAbove(0);
      const down = losses.sumAbove(0);
      index = up + down === 0 ? 50 : 100 * (up / (up + down));
      return index;
    },
  };
}
