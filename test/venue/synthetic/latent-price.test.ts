import { expect, test } from 'vitest';
import { seededRandom } from '../../../src/model/random.js';
import { LatentPrice } from '../../../src/venue/synthetic/latent-price.js';
import { mean, variance } from './made-up-venue.js';

const PROFILE = { referencePrice: 60_000, dailyVolatility: 0.028 };

test('the fair price stays within 15 % of its reference over a simulated day of ten seeds', () => {
  for (let seed = 0; seed < 10; seed++) {
    const latent = new LatentPrice(seededRandom(`day/${seed}`), PROFILE);
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    for (let step = 0; step < 86_400; step++) {
      latent.step(1);
      low = Math.min(low, latent.price);
      high = Math.max(high, latent.price);
    }
    expect(low).toBeGreaterThan(60_000 * 0.85);
    expect(high).toBeLessThan(60_000 * 1.15);
    // It does move.
    expect(high / low).toBeGreaterThan(1.005);
  }
});

test('hourly variance is the one that the profile asks for, in fine steps and in coarse ones', () => {
  const expected = PROFILE.dailyVolatility ** 2 / 24;
  for (const seconds of [1, 15]) {
    const moves: number[] = [];
    for (let seed = 0; seed < 400; seed++) {
      const latent = new LatentPrice(seededRandom(`hour/${seconds}/${seed}`), PROFILE);
      for (let elapsed = 0; elapsed < 3_600; elapsed += seconds) latent.step(seconds);
      moves.push(Math.log(latent.price / PROFILE.referencePrice));
    }
    const ratio = (variance(moves) + mean(moves) ** 2) / expected;
    // 400 heavy-tailed hours: a standard error of about a tenth.
    expect(ratio).toBeGreaterThan(0.65);
    expect(ratio).toBeLessThan(1.45);
  }
});

test('the price drifts the way the mood leans', () => {
  const latent = new LatentPrice(seededRandom('mood'), PROFILE);
  let product = 0;
  for (let step = 0; step < 200_000; step++) {
    const { mood, price, volatility } = latent;
    latent.step(1);
    product += (mood * Math.log(latent.price / price)) / volatility;
  }
  // 0.1 standard deviations a second and unit of mood; the sum's own error is about 0.003.
  expect(product / 200_000).toBeGreaterThan(0.07);
  expect(product / 200_000).toBeLessThan(0.13);
});
