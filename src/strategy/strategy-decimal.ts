import { Decimal as EngineDecimal } from '../model/decimal.js';
import { StrategyError } from '../model/errors.js';

/**
 * The exact numbers of a strategy. An interface and no alias: a user's declarations could not name decimal.js, which is
 * not their dependency.
 */
export interface Decimal extends EngineDecimal {}

type Value = ConstructorParameters<typeof EngineDecimal>[0];
type Settings = Parameters<typeof EngineDecimal.clone>[0];
type Refused = 'set' | 'config' | 'random';

/** `Decimal` of decimal.js with fixed settings. */
export type DecimalConstructor = Omit<typeof EngineDecimal, Refused | 'clone' | 'prototype'> & {
  new (value: Value): Decimal;
  (value: Value): Decimal;
  readonly prototype: Decimal;
  /** A further constructor with other settings: `Decimal.clone({ precision: 20 })`. */
  clone(settings?: Settings): DecimalConstructor;
};

const SETTINGS = 'use Decimal.clone({ … }), since its settings are those of every strategy';

/**
 * Exact decimals for strategies: 40 significant digits, half-even. A clone of its own and not the one that the engine
 * uses, so that nothing a strategy does to it can change an order, its own or another strategy's. For the same reason the
 * settings are fixed, and random numbers come from `context.random` only.
 */
export const Decimal: DecimalConstructor = constructorOf(EngineDecimal.clone());

/** Makes a constructor whose `set`, `config` and `random` throw a StrategyError. */
function constructorOf(own: typeof EngineDecimal): DecimalConstructor {
  // Callable with and without `new`, like decimal.js. Either way the result is an instance of `own`.
  function made(value: Value): Decimal {
    return new own(value);
  }
  const statics: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(own)) {
    statics[name] =
      typeof value === 'function' ? (value as (...given: unknown[]) => unknown).bind(own) : value;
  }
  return Object.freeze(
    Object.assign(made, statics, {
      prototype: own.prototype,
      clone: (settings?: Settings) => constructorOf(own.clone(settings)),
      set: refuse('set', SETTINGS),
      config: refuse('config', SETTINGS),
      random: refuse('random', 'take random numbers from context.random'),
    }),
  ) as unknown as DecimalConstructor;
}

function refuse(name: Refused, instead: string): () => never {
  return () => {
    throw new StrategyError('TICKWRIGHT_E_DECIMAL', `a strategy must not call Decimal.${name}: ${instead}`);
  };
}
