import type { Bar } from '../../model/bar.js';
import type { Market } from '../../model/market.js';
import type { Random } from '../../model/random.js';
import { HEAT_POWER } from './arrivals.js';
import type { LatentPrice } from './latent-price.js';
import type { Scale } from './street.js';

export const MINUTE_MS = 60_000;

const STEP_MS = 15_000;
/** Averages of the detailed simulation at intensity 1: prints per second, and everyday orders per print. */
const PRINTS = { perSecond: 6, everydayOrders: 1.25 } as const;

/**
 * Makes minute bars of the time before the detailed simulation. They follow the same fair price in coarse steps, and
 * the detailed simulation continues from where they leave it. `end` must be a whole minute; the last bar ends there.
 */
export function prehistory(
  latent: LatentPrice,
  options: {
    readonly market: Market;
    readonly scale: Scale;
    readonly random: Random;
    readonly intensity: number;
    readonly end: number;
    readonly minutes: number;
  },
): readonly Bar[] {
  const { market, scale, random, end } = options;
  const perMinute = (PRINTS.perSecond * options.intensity * MINUTE_MS) / 1_000;
  const printed = () =>
    (Math.round(scale.exactTicks(latent.price) / scale.tick) * scale.tick) / market.priceGrid.scale;
  const bars: Bar[] = [];
  let close = printed();
  for (let openTime = end - options.minutes * MINUTE_MS; openTime < end; openTime += MINUTE_MS) {
    const open = close;
    let high = open;
    let low = open;
    let heat = 0;
    for (let elapsed = 0; elapsed < MINUTE_MS; elapsed += STEP_MS) {
      latent.step(STEP_MS / 1_000);
      close = printed();
      if (close > high) high = close;
      if (close < low) low = close;
      heat += (latent.heat * STEP_MS) / MINUTE_MS;
    }
    const trades = Math.max(
      1,
      Math.round(perMinute * Math.exp(HEAT_POWER * Math.log(heat) + 0.3 * random.normal() - 0.05)),
    );
    const lots = scale.lots(trades * PRINTS.everydayOrders * scale.everydayLots);
    bars.push({
      openTime,
      endTime: openTime + MINUTE_MS,
      intervalMs: MINUTE_MS,
      open,
      high,
      low,
      close,
      volume: lots / market.quantityGrid.scale,
      trades,
      empty: false,
      complete: true,
    });
  }
  return bars;
}
