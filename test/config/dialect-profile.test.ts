import { describe, expect, it } from 'vitest';
import { VENUE_PROFILES } from '../../src/client/profile.js';
import { parseProfile } from '../../src/config/dialect-profile.js';
import { isProfileName, isProfilePath, PROFILE_NAMES } from '../../src/config/profile-name.js';
import { UsageError } from '../../src/model/errors.js';

const parse = (text: string) => parseProfile({ text, shown: 'venue.yaml', environment: {} });

describe('a dialect profile', () => {
  it('is the name of one that ships, and what is different', () => {
    const { base, overrides, shown } = parse(
      'base: cautious\nmaxLimit: 50\nbulk: { atomic: false }\necho: null\n',
    );
    expect({ base, overrides, shown }).toEqual({
      base: 'cautious',
      overrides: { maxLimit: 50, bulk: { atomic: false }, echo: null },
      shown: 'venue.yaml',
    });
  });

  it.each([
    ['maxLimit: 5\n', /^venue\.yaml:1:1 base: expected one of tickwright, cautious, received nothing/],
    ['base: tickwrigth\n', /^venue\.yaml:1:7 base: .* received "tickwrigth" \(did you mean tickwright\?\)/],
    ['base: [tickwright]\n', /^venue\.yaml:1:7 base: /],
    ['- base\n', /^venue\.yaml:1:1: expected a map with the key base/],
    ['', /^venue\.yaml:1:1: expected a map with the key base, received nothing/],
    ['base: tickwright\nbase: cautious\n', /^venue\.yaml:2:1/],
    ['base: tickwright\nsecret: abc\n', /expected no secret in this file/],
  ])('%j is refused by its place', (text, said) => {
    expect(() => parse(text)).toThrow(UsageError);
    expect(() => parse(text)).toThrow(said);
  });

  it('can be complained about by key or by value, with a caret', () => {
    const file = parse('base: tickwright\nbulk:\n  maxOrders: 0\n  wrong: 1\n');
    expect(file.errorAt(['bulk', 'maxOrders'], 'expected more, received 0', 'value').message).toBe(
      'venue.yaml:3:14 bulk.maxOrders: expected more, received 0\n  3 |   maxOrders: 0\n    |              ^',
    );
    expect(file.errorAt(['bulk', 'wrong'], 'expected less', 'key').message).toMatch(
      /^venue\.yaml:4:3 bulk\.wrong/,
    );
  });

  it('that ships is known to the client by the same name', () => {
    expect([...VENUE_PROFILES.keys()].sort()).toEqual([...PROFILE_NAMES].sort());
  });

  it('is a path when it looks like one, and else must be known', () => {
    for (const path of ['./a', 'a.yaml', 'a/b', '..\\b']) expect(isProfilePath(path), path).toBe(true);
    expect(isProfilePath('cautious')).toBe(false);
    expect(isProfileName('cautious')).toBe(true);
    expect(isProfileName('reckless')).toBe(false);
  });
});
