import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cautious, VENUE_PROFILES } from '../../src/client/profile.js';
import { profileFrom } from '../../src/client/profile-overrides.js';
import { parseProfile } from '../../src/config/dialect-profile.js';
import { configJsonSchema, type JsonSchema } from '../../src/config/json-schema.js';
import { REQUIRED_LIMITS } from '../../src/config/required-limits.js';

const page = readFileSync('docs/configuration.md', 'utf8');
/** Lists that are longer than this are counted in the page, not written out. */
const MOST_SHOWN = 6;

/** The cells of the rows below a heading, up to the next heading of its level; without the heads of the tables. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) => row.split(' |').map((cell) => cell.replace(/^\| ?/, '').trim()));
}

/** Every key that holds a value, as `strategies[].warmUp`, with its default. */
function keysOf(schema: JsonSchema, path = ''): readonly (readonly [key: string, value: unknown])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const key = `${path}${name}`;
    if (inner.properties !== undefined) return keysOf(inner, `${key}.`);
    if (inner.items?.properties !== undefined) return keysOf(inner.items, `${key}[].`);
    return [[key, inner.default] as const];
  });
}

/** Rows begin with their key. */
function byKey(
  rows: readonly (readonly (string | undefined)[])[],
): readonly (readonly (string | undefined)[])[] {
  return rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : Number(a > b)));
}

function bare(cell: string | undefined): string {
  return cell?.replaceAll('`', '') ?? '';
}

/** A map of names that are the user's own has no default that a person would write. */
function valueText(value: unknown): string {
  if (value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value)))
    return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

it('every key of the configuration is on the page once, with its default, and no other', () => {
  const listed = rowsBelow('The keys').map(([key, value]) => [bare(key), bare(value)]);
  const declared = keysOf(configJsonSchema()).map(([key, value]) => [key, valueText(value)]);
  expect(declared.length).toBeGreaterThan(50);
  expect(byKey(listed)).toEqual(byKey(declared));
});

it('the keys that the schema needs, and no others, are marked', () => {
  const marked = rowsBelow('The keys').filter(([, , meaning]) => meaning?.startsWith('*needed*') === true);
  expect(marked.map(([key]) => bare(key))).toEqual(neededIn(configJsonSchema()));
});

/** The schema's own order is that of the page. */
function neededIn(
  schema: JsonSchema & { readonly required?: readonly string[] },
  path = '',
): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    // What has a default may be left out of a file.
    const isNeeded = schema.required?.includes(name) === true && inner.default === undefined;
    return [
      ...(isNeeded ? [`${path}${name}`] : []),
      ...neededIn(inner, `${path}${name}.`),
      ...neededIn(inner.items ?? {}, `${path}${name}[].`),
    ];
  });
}

it('the first seven limits are those that live mode needs', () => {
  const limits = rowsBelow('The keys').flatMap(([key]) => /^`limits\.(\w+)`$/.exec(key ?? '')?.[1] ?? []);
  expect(REQUIRED_LIMITS).toHaveLength(7);
  expect(limits.slice(0, 7)).toEqual([...REQUIRED_LIMITS]);
});

it('every key of a profile is on the page once, with the values of those that ship, and no other', () => {
  const listed = rowsBelow('The profile of a venue').map(([key, ...values]) => [
    bare(key),
    ...values.slice(0, VENUE_PROFILES.size).map(bare),
  ]);
  const [first = [], ...others] = [...VENUE_PROFILES.values()].map((profile) => leavesOf(profile));
  const declared = first.map(([key, value], at) => [
    key,
    value,
    ...others.map((each) => each[at]?.[1] ?? 'no such key'),
  ]);
  expect(byKey(listed)).toEqual(byKey(declared));
});

it('the example of a profile is one, and changes what it names alone', () => {
  const [, text = ''] = /```yaml\n([\s\S]+?)```/.exec(page) ?? [];
  const { base, overrides } = parseProfile({ text, shown: 'venue.yaml', environment: {} });
  expect(base).toBe('cautious');
  expect(profileFrom(cautious, overrides)).toEqual({ ...cautious, ...overrides });
  expect(Object.keys(overrides)).toEqual(['limits', 'budget']);
});

function leavesOf(profile: object, path = ''): readonly (readonly [key: string, value: string])[] {
  return Object.entries(profile).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leavesOf(value, `${path}${name}.`)
      : [[`${path}${name}`, shown(value)] as const],
  );
}

/** As a file has it: `null` is what is `undefined` in a profile. */
function shown(value: unknown): string {
  if (Array.isArray(value) && value.length > MOST_SHOWN) return `${value.length} texts`;
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
