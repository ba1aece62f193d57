import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hunt } from './hunt.js';
import { patched } from './mutant.js';
import { MUTANTS } from './mutants.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('the list of mutants', () => {
  test('has a name of its own for each', () => {
    expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
  });

  test.each(MUTANTS)('fits the source: $id', ({ patches }) => {
    const texts = new Map<string, string>();
    for (const patch of patches) {
      const text = texts.get(patch.file) ?? readFileSync(`${root}${patch.file}`, 'utf8');
      const changed = patched(text, patch);
      expect(changed).not.toBe(text);
      texts.set(patch.file, changed);
    }
  });

  test('is out of date when a text occurs never or twice', () => {
    const patch = { file: 'src/x.ts', find: 'a', replace: 'b' };
    expect(patched('cac', patch)).toBe('cbc');
    expect(() => patched('ccc', patch)).toThrow('received 0 times');
    expect(() => patched('aca', patch)).toThrow('received 2 times');
  });
});

test.each([
  ['prep-not-durable', 'I3'],
  ['post-retried', 'I1'],
  ['no-sync-gate', 'I5'],
])('the simulation sees %s within three seeds, and breaks nothing without it', async (id, invariant) => {
  const [mutant] = MUTANTS.filter((each) => each.id === id);
  if (mutant === undefined) throw new Error(`${id} must be in the list`);
  const { killed } = await hunt(mutant, { root, maxSeeds: 3 });
  expect(killed?.invariant).toBe(invariant);
});
