import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import * as tickwright from '../../src/index.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { BTC } from '../support/markets.js';

const page = readFileSync('docs/strategies.md', 'utf8');
/** What the first column of the table below a heading names. */
const named = (heading: string) => {
  const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `(\w+)/gm)].map(([, name]) => name as string);
};

it('the parameters are all that can be declared', () => {
  const makers = ['barInterval', 'boolean', 'choice', 'decimal', 'integer', 'number'];
  expect(named('Parameters').sort()).toEqual(makers);
  expect(tickwright).toMatchObject(Object.fromEntries(makers.map((name) => [name, expect.any(Function)])));
});

it('the keys of an order are all that there are', () => {
  const order = { side: 'buy', quantity: 1, none: 1 } as unknown as tickwright.OrderRequest;
  const keys = named('An order').join(', ');
  expect(() => tickwright.orders([order])).toThrow(keys);
});

it('the members of the context are all that there are', () => {
  let members: readonly string[] = [];
  const definition = tickwright.defineStrategy({
    name: 'looks',
    create(_, context) {
      members = Object.keys(context);
      return {};
    },
  });
  new Engine({ strategy: bindStrategy(definition), market: BTC, seed: '1', warmUp: false });
  expect(named('The context').sort()).toEqual([...members].sort());
});
