import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { configText } from '../../src/cli/scaffold/project-text.js';
import { configJsonSchema, type JsonSchema } from '../../src/config/json-schema.js';
import { REQUIRED_LIMITS } from '../../src/config/required-limits.js';
import { configSchema } from '../../src/config/schema.js';

const folder = fileURLToPath(new URL('../../config/', import.meta.url));
const shipped = readdirSync(folder).filter(
  (name) => name.endsWith('.yaml') && name !== 'faults-example.yaml',
);
const schema = configJsonSchema();
/** What an editor does with it: the schema read back, by other code than that which wrote it. */
const editor = z.fromJSONSchema(JSON.parse(JSON.stringify(schema)) as never);

describe('the JSON schema of the configuration', () => {
  it.each(shipped)('takes %s', (name) => {
    expect(editor.safeParse(parse(readFileSync(join(folder, name), 'utf8'))).error).toBeUndefined();
  });

  it('takes the one of a new project', () => {
    const text = configText('strategies/example.ts', 'x.json', { run: 'npx' });
    expect(editor.safeParse(parse(text)).error).toBeUndefined();
  });

  it.each([
    ['an unknown key', { version: 1, venu: {} }],
    ['no version', { mode: 'paper' }],
    ['a mode that is none', { version: 1, mode: 'real' }],
    ['a number where a decimal in quotes belongs', { version: 1, limits: { maxPosition: 0.5 } }],
    ['a strategy without a pair', { version: 1, strategies: [{ file: 'x.ts' }] }],
    [
      'a parameter that is a list',
      { version: 1, strategies: [{ file: 'x', pair: 'X', params: { a: [1] } }] },
    ],
  ])('refuses %s', (_, config) => {
    expect(editor.safeParse(config).success).toBe(false);
  });

  it('names all keys of the configuration, and all its limits', () => {
    expect(Object.keys(schema.properties ?? {})).toEqual(Object.keys(configSchema.shape));
    expect(Object.keys(schema.properties?.['limits']?.properties ?? {})).toEqual(
      expect.arrayContaining([...REQUIRED_LIMITS, 'maxDrawdown', 'maxSuspense']),
    );
  });

  it('describes each value in the words of its error', () => {
    const at = (...path: readonly string[]): JsonSchema =>
      path.reduce<JsonSchema>((found, name) => found.properties?.[name] ?? {}, schema);
    expect(at('limits', 'maxPosition').description).toBe('a quoted decimal above 0, like "0.05"');
    expect(at('poll', 'ticker').description).toContain('a duration');
    expect(at('mode')).toMatchObject({ description: 'paper or live', default: 'paper' });
    expect(JSON.stringify(schema)).not.toContain('Invalid input');
  });
});
