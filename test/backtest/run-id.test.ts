import { describe, expect, it } from 'vitest';
import type { BacktestOptions } from '../../src/backtest/backtest-options.js';
import { pollsEvery } from '../../src/backtest/poll-schedule.js';
import { runId } from '../../src/backtest/result.js';
import { runInputs } from '../../src/backtest/run-inputs.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { Lots } from '../../src/model/grid.js';
import { NO_RATES } from '../../src/storage/facts/recorded-rates.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { type BoundStrategy, bindStrategy } from '../../src/strategy/instance.js';
import { integer } from '../../src/strategy/params.js';
import { inMemory } from '../support/in-memory-recording.js';

function strategy(name: string, params: Readonly<Record<string, string>> = {}): BoundStrategy {
  const specs = { fast: integer({ default: 10 }), slow: integer({ default: 30 }) };
  return bindStrategy(defineStrategy({ name, params: specs, create: () => ({}) }), params);
}

const plain: BacktestOptions = {
  strategy: strategy('cross'),
  strategyHash: 'a'.repeat(64),
  recording: inMemory([]),
  capital: '10000',
  engineVersion: '1.0.0',
};
const hashes = { from: 0, to: 0, hash: 'b'.repeat(64), factsHash: 'c'.repeat(64) };

const idOf = (options: Partial<BacktestOptions>, data = hashes) =>
  runId(runInputs({ ...plain, ...options }, data));

const others: readonly (readonly [string, string])[] = [
  ['the code of the strategy', idOf({ strategyHash: 'd'.repeat(64) })],
  ['its name', idOf({ strategy: strategy('crossing') })],
  ['a parameter', idOf({ strategy: strategy('cross', { fast: '11' }) })],
  ['the same value for another parameter', idOf({ strategy: strategy('cross', { slow: '11' }) })],
  ['the capital', idOf({ capital: '10001' })],
  ['the fill model', idOf({ fill: 'queue' })],
  ['the latency', idOf({ latencyMs: 51 })],
  ['the jitter', idOf({ jitterMs: 1 })],
  ['measured delays', idOf({ delays: { name: 'session 1', of: () => 50 } })],
  ['other measured delays', idOf({ delays: { name: 'session 2', of: () => 50 } })],
  ['the slippage', idOf({ slippageTicks: 1 })],
  [
    'funding rates from later on',
    idOf({ recording: { ...inMemory([]), rates: { ...NO_RATES, from: 10 ** 12, dueAfter: () => 1 } } }),
  ],
  [
    'missing funding rates',
    idOf({ recording: { ...inMemory([]), rates: { ...NO_RATES, from: 0, missing: () => 2 } } }),
  ],
  ['margin rates that changed', idOf({ recording: { ...inMemory([]), marginChangedAt: 0 } })],
  ['polls', idOf({ polls: { name: '1000', schedule: pollsEvery(1_000) } })],
  ['other polls', idOf({ polls: { name: '2000', schedule: pollsEvery(2_000) } })],
  ['a limit', idOf({ limits: { ...NO_LIMITS, maxPosition: 10 as Lots } })],
  ['the same number for another limit', idOf({ limits: { ...NO_LIMITS, maxOrderQuantity: 10 as Lots } })],
  ['the seed', idOf({ seed: '2' })],
  ['the engine', idOf({ engineVersion: '1.0.1' })],
  ['the trades', idOf({}, { ...hashes, hash: 'e'.repeat(64) })],
  ['what was known besides', idOf({}, { ...hashes, factsHash: 'e'.repeat(64) })],
];

describe('the id of a run', () => {
  it.each(others)('is another where %s is another', (_, id) => {
    expect(id).not.toBe(idOf({}));
    expect(others.filter(([, other]) => other === id)).toHaveLength(1);
  });

  it('says a default and the same value that was asked for by one name, and the order of parameters nothing', () => {
    expect(idOf({ latencyMs: 50, jitterMs: 0, slippageTicks: 0, seed: '1', fill: 'all' })).toBe(idOf({}));
    const asked = strategy('cross', { slow: '30', fast: '10' });
    expect(idOf({ strategy: asked })).toBe(idOf({}));
  });
});
