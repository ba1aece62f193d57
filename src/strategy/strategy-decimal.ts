import { Decimal as EngineDecimal } from '../model/decimal.js';
import { StrategyError } from '../model/errors.js';

/** What a strategy computes exactly with. Not an alias: the declarations of a project could not name decimal.js, which is not its own. */
export interface Decimal extends EngineDecimal {}

type Value = ConstructorParameters<typeof EngineDecimal>[0];
type Settings = Parameters<typeof EngineDecimal.clone>[0];
type Refused = 'set' | 'config' | 'random';

/** `Decimal` of decimal.js, whose settings are those it was made with. */
export type DecimalConstructor = Omit<typeof EngineDecimal, Refused | 'clone' | 'prototype'> & {
  new (value: Value): Decimal;
  (value: Value): Decimal;
  readonly prototype: Decimal;
  /** Another one with other settings: `Decimal.clone({ precision: 20 })`. */
  clone(settings?: Settings): DecimalConstructor;
};

const SETTINGS = 'use Decimal.clone({ … }), since its settings are those of every strategy';

/**
 * 40 significant digits, half-even. Not the one that the engine computes with: what a strategy does to its own must not
 * move an order, of it or of another strategy. So its settings are fixed, too, and it gives no random numbers.
 */
export const Decimal: DecimalConstructor = constructorOf(EngineDecimal.clone());

/** @throws StrategyError from `set`, `config` and `random` */
function constructorOf(own: typeof EngineDecimal): DecimalConstructor {
  // Callable with and without `new`, as decimal.js is, and what it gives is one of `own` either way.
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
