import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type SoakResult, soakPage } from './page.js';

test('the published page says what its figures say', () => {
  const published = JSON.parse(readFileSync('docs/soak.json', 'utf8')) as SoakResult;
  expect(readFileSync('docs/soak.md', 'utf8')).toBe(soakPage(published));
});
