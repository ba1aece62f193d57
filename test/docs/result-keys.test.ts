import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest.js';
import { nodeFiles } from '../../src/platform/files.js';
import { openRecording } from '../../src/storage/recording/recording.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';

/** Those that a run has only under a condition. */
const SOMETIMES = [
  'ruinedAt',
  'liquidatedAt',
  'data.unfundedUntil',
  'data.missingRates',
  'data.marginChangedAt',
  'metrics.unavailable',
  'protection.heldMs',
  'protection.bareMs',
  'protection.longestBareMs',
  'protection.bareNotionalSeconds',
  'protection.limitHits',
];

it('docs/result.md has each key of a result once, and no other', async () => {
  const page = readFileSync('docs/result.md', 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((row) => (row.split('|')[1] as string).match(/[\w.<>]+/g) ?? []);
  expect(new Set(listed).size).toBe(listed.length);
  const { result } = await runBacktest({
    strategy: bindStrategy(defineStrategy({ name: 'idle', params: {}, create: () => ({}) }), {}),
    strategyHash: '',
    recording: await openRecording(nodeFiles, [resolve('backtest/sample')]),
    capital: '10000',
    engineVersion: 'test',
  });
  const keys = new Set([...leavesOf(result).map(general), ...SOMETIMES, 'params.<name>']);
  expect([...listed].sort()).toEqual([...keys].sort());
});

function general(key: string): string {
  return key
    .replace(/^(pnl|models)\.(through|queue|touch)/, '$1.<model>')
    .replace(/^(params|options)\..*/, '$1.<name>');
}

function leavesOf(document: object, path = ''): readonly string[] {
  return Object.entries(document).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leavesOf(value, `${path}${name}.`)
      : [`${path}${name}`],
  );
}
