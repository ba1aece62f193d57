import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/model/errors.js';
import { defineStrategy, type Handlers, isStrategyDefinition } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { barInterval, boolean, choice, decimal, integer, number } from '../../src/strategy/params.js';

const definition = defineStrategy({
  name: 'sample',
  params: {
    fast: integer({ default: 10, min: 1, max: 99 }),
    ratio: number({ default: 0.5 }),
    quantity: decimal({ default: '0.01', min: 0 }),
    post: boolean({ default: true }),
    mode: choice({ default: 'calm', of: ['calm', 'wild'] }),
    bars: barInterval({ default: '1m' }),
  },
  create: () => ({}),
});

describe('parameters', () => {
  it('take their defaults', () => {
    const { params, barIntervals } = bindStrategy(definition);
    expect({ ...params, quantity: String(params['quantity']) }).toEqual({
      fast: 10,
      ratio: 0.5,
      quantity: '0.01',
      post: true,
      mode: 'calm',
      bars: 60_000,
    });
    expect(barIntervals).toEqual([60_000]);
  });

  it('take what is given, as text or as YAML scalars', () => {
    const { params } = bindStrategy(definition, {
      fast: '5',
      ratio: 0.25,
      quantity: '1.000',
      post: false,
      mode: 'wild',
      bars: '1s',
    });
    expect({ ...params, quantity: String(params['quantity']) }).toEqual({
      fast: 5,
      ratio: 0.25,
      quantity: '1',
      post: false,
      mode: 'wild',
      bars: 1_000,
    });
  });

  it.each([
    [{ fats: 5 }, 'sample.fats must be one of fast, ratio, quantity, post, mode, bars'],
    [{ fast: '2.5' }, 'sample.fast must be a whole number from 1 to 99, received "2.5"'],
    [{ fast: '100' }, 'sample.fast must be a whole number from 1 to 99, received "100"'],
    [{ quantity: '-1' }, 'sample.quantity must be a decimal of at least 0, received "-1"'],
    [{ quantity: '1e-3' }, 'sample.quantity must be a decimal of at least 0, received "1e-3"'],
    [{ post: 'yes' }, 'sample.post must be true or false, received "yes"'],
    [{ mode: 'odd' }, 'sample.mode must be one of calm, wild, received "odd"'],
    [
      { bars: '7s' },
      'sample.bars must be a bar interval from 1s to 1d that divides a day, like 1s, 5m or 1h, received "7s"',
    ],
    [{ fast: Number.NaN }, 'sample.fast must be a whole number from 1 to 99, received "NaN"'],
    [{ fast: ['1'] }, 'sample.fast must be a whole number from 1 to 99, received "[\\"1\\"]"'],
    [
      { __proto__: null, constructor: 1 },
      'sample.constructor must be one of fast, ratio, quantity, post, mode, bars',
    ],
  ])('refuse %j', (given, message) => {
    expect(() => bindStrategy(definition, given)).toThrow(message);
  });
});

it('what has no JSON is read or refused like any other value', () => {
  expect(bindStrategy(definition, { fast: 5n }).params['fast']).toBe(5);
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  expect(() => bindStrategy(definition, { fast: circular })).toThrow(
    'sample.fast must be a whole number from 1 to 99, received "an object with self"',
  );
});

describe('a number', () => {
  it.each([1e-7, -2.5e-9, 1e21])('may be as small or as large as it likes: %d', (value) => {
    const eps = number({ default: value, min: -1e-6 });
    const small = defineStrategy({ name: 'small', params: { eps }, create: () => ({}) });
    expect(bindStrategy(small).params).toEqual({ eps: value });
    expect(bindStrategy(small, { eps: value }).params).toEqual({ eps: value });
    expect(() => bindStrategy(small, { eps: '1e-7' })).toThrow(
      'small.eps must be a number of at least -0.000001, received "1e-7"',
    );
  });
});

describe('a definition', () => {
  it('is known by its brand', () => {
    expect(isStrategyDefinition(definition)).toBe(true);
    expect(isStrategyDefinition({ name: 'sample', create: () => ({}) })).toBe(false);
  });

  it('needs a plain name and one of the two forms', () => {
    expect(() => defineStrategy({ name: 'No Good', create: () => ({}) })).toThrow(
      /lower-case words joined by hyphens, 64 characters at most, received "No Good"/,
    );
    expect(() => defineStrategy({ name: 'x'.repeat(65), create: () => ({}) })).toThrow(
      /64 characters at most, received "x{65}"/,
    );
    expect(() => defineStrategy({ name: 'empty' } as never)).toThrow(
      'empty must have either create() or streams(), received neither',
    );
  });

  it('has one form, not both', () => {
    const both = { name: 'both', create: () => ({}), streams: () => undefined };
    expect(() => defineStrategy(both as never)).toThrow(
      'both must have either create() or streams(), received both',
    );
  });

  it.each([
    [{ fast: 10 }, '10'],
    [{ fast: null }, 'null'],
    [{ fast: { default: 10 } }, '{"default":10}'],
    [{ fast: integer }, 'the function integer'],
  ])('has parameters that are declared as such: %j', (params, received) => {
    expect(() => defineStrategy({ name: 'plain', params: params as never, create: () => ({}) })).toThrow(
      `plain.fast must be made by integer, number, decimal, boolean, choice or barInterval, received ${received}`,
    );
  });

  it.each<[() => unknown, string]>([
    [
      () => integer({ min: 3 } as never),
      'the default of integer({ … }) must be a number, received undefined',
    ],
    [() => number({ default: '1' } as never), 'the default of number({ … }) must be a number, received "1"'],
    [
      () => decimal({ min: 0 } as never),
      'the default of decimal({ … }) must be a decimal, received undefined',
    ],
    [() => boolean({} as never), 'the default of boolean({ … }) must be true or false, received undefined'],
    [
      () => choice({ of: ['a'] } as never),
      'the default of choice({ … }) must be one of a, received undefined',
    ],
    [
      () => barInterval({ default: 60 } as never),
      'the default of barInterval({ … }) must be a text, received 60',
    ],
    [
      () => integer({ default: 0, min: 1 }),
      'the default of integer({ … }) must be a whole number of at least 1, received 0',
    ],
    [() => integer({ default: 1.5 }), 'the default of integer({ … }) must be a whole number, received 1.5'],
    [
      () => integer({ default: Number.NaN }),
      'the default of integer({ … }) must be a whole number, received NaN',
    ],
    [
      () => decimal({ default: '2', max: 1 }),
      'the default of decimal({ … }) must be a decimal of at most 1, received "2"',
    ],
    [
      () => barInterval({ default: '7s' }),
      'the default of barInterval({ … }) must be a bar interval from 1s to 1d that divides a day, like 1s, 5m or 1h, received "7s"',
    ],
  ])('has defaults: %s', (declare, message) => {
    expect(declare).toThrow(UsageError);
    expect(declare).toThrow(message);
  });

  it.each<[() => unknown, string]>([
    [
      () => integer({ default: 5, min: Number.NaN }),
      'the min of integer({ … }) must be a finite number, received NaN',
    ],
    [
      () => integer({ default: 5, max: 'abc' } as never),
      'the max of integer({ … }) must be a finite number, received "abc"',
    ],
    [
      () => decimal({ default: '1', min: 'abc' }),
      'the min of decimal({ … }) must be a decimal, received "abc"',
    ],
    [
      () => decimal({ default: 1, min: Number.NaN }),
      'the min of decimal({ … }) must be a decimal, received NaN',
    ],
    [
      () => integer({ default: 5, min: 10, max: 1 }),
      'the min of integer({ … }) must not be above its max, received 10 and 1',
    ],
    [
      () => integer({ default: -5, mim: 1 } as never),
      'an option of integer({ … }) must be one of default, min, max, received mim',
    ],
    [
      () => (integer as () => unknown)(),
      'integer(…) must be given an object like { default, min, max }, received undefined',
    ],
    [
      () => choice({ default: 'z' } as never),
      "the words of choice({ … }) must be a list of texts, of: ['a', 'b'], received undefined",
    ],
    [
      () => defineStrategy({ name: 'x', parms: {}, create: () => ({}) } as never),
      'an option of defineStrategy({ … }) must be one of name, params, create, streams, received parms',
    ],
    [
      () => (defineStrategy as () => unknown)(),
      'defineStrategy(…) must be given an object like { name, params, create, streams }, received undefined',
    ],
    [
      () => defineStrategy({ name: 'x', params: null, create: () => ({}) } as never),
      'the params of x must be an object like { fast: integer({ default: 10 }) }, received null',
    ],
  ])('is declared as it can be meant: %s', (declare, message) => {
    expect(declare).toThrow(UsageError);
    expect(declare).toThrow(message);
  });

  it('takes no whole number that a double does not hold', () => {
    const wide = defineStrategy({
      name: 'wide',
      params: { id: integer({ default: 1 }) },
      create: () => ({}),
    });
    expect(bindStrategy(wide, { id: '9007199254740991' }).params).toEqual({ id: Number.MAX_SAFE_INTEGER });
    expect(() => bindStrategy(wide, { id: '9007199254740993' })).toThrow('wide.id must be a whole number');
  });

  it.each([
    'onbar',
    'OnBar',
    'on_bar',
    'onbars',
    'ONBAR',
  ])('has no handler that is nearly one: %s', (name) => {
    const misspelt = defineStrategy({
      name: 'misspelt',
      create: () => ({ [name]: () => undefined, once: 1, _onBar: () => 2 }) as Handlers,
    });
    expect(() => bindStrategy(misspelt).start({} as never)).toThrow(
      `a handler of misspelt must be named onBar, received ${name}`,
    );
  });

  it('whose create() is async is told so', () => {
    const create = async () => ({});
    const promised = defineStrategy({ name: 'promised', create: create as unknown as () => object });
    expect(() => bindStrategy(promised).start({} as never)).toThrow(
      'create() of promised must return its handlers, received a promise',
    );
  });

  it('gets values that it cannot change', () => {
    const { params } = bindStrategy(
      defineStrategy({ name: 'sample', params: { fast: integer({ default: 5 }) }, create: () => ({}) }),
    );
    expect(() => Object.assign(params, { fast: 6 })).toThrow(TypeError);
  });

  it('with onBar and no interval is told so', () => {
    const barless = defineStrategy({ name: 'barless', create: () => ({ onBar: () => undefined }) });
    expect(() => bindStrategy(barless).start({} as never)).toThrow(
      'barless has onBar, so its params must declare a barInterval',
    );
  });
});
