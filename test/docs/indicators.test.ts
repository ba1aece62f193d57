import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as indicators from '../../src/indicators/index.js';

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('every indicator has its line in docs/indicators.md, and nothing else has', () => {
  const lines = text('docs/indicators.md').matchAll(/^\| (`.*?`) \|/gm);
  const names = [...lines].flatMap(([, cell]) => [...(cell as string).matchAll(/`(\w+)\(/g)]);
  expect(new Set(names.map(([, name]) => name))).toEqual(new Set(Object.keys(indicators)));
});

it('the README names them all', () => {
  const [, paragraph = ''] =
    /^Indicators come from `tickwright\/indicators`: (.*?)\. Each/ms.exec(text('README.md')) ?? [];
  const named = paragraph
    .replaceAll(/[`,\n]/g, ' ')
    .split(/ +/)
    .filter(Boolean);
  expect(new Set([...named, 'typicalPrice'])).toEqual(new Set(Object.keys(indicators)));
});
