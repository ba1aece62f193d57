import { describe, expect, it, vi } from 'vitest';
import { hasConsent, type Person, requireConsent } from '../../../src/cli/order/consent.js';

function person(answer: string | undefined): Person & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    isThere: true,
    asked,
    ask: (question) => {
      asked.push(question);
      return Promise.resolve(answer);
    },
  };
}
const NOBODY: Person = { isThere: false, ask: () => Promise.reject(new Error('nobody can be asked')) };

describe('consent', () => {
  it('is demanded by --yes where there is nobody to ask', () => {
    expect(() => requireConsent(undefined, NOBODY)).toThrow(/--yes must be given .* Nothing was sent/);
    expect(() => requireConsent(true, NOBODY)).not.toThrow();
    expect(() => requireConsent(undefined, person('n'))).not.toThrow();
  });

  it('is asked for in full, and only y or yes gives it', async () => {
    vi.spyOn(process.stderr, 'write').mockImplementation((_text, done?: unknown) => {
      if (typeof done === 'function') done();
      return true;
    });
    for (const [answer, consents] of [
      ['y', true],
      ['yes', true],
      [' Y ', true],
      ['', false],
      ['n', false],
      ['yep', false],
      [undefined, false],
    ] as const) {
      const asked = person(answer);
      expect(await hasConsent(undefined, 'buy 1 BTC', asked), String(answer)).toBe(consents);
      expect(asked.asked).toEqual(['buy 1 BTC\nDo it? [y/N] ']);
    }
  });

  it('of --yes asks nobody', async () => {
    expect(await hasConsent(true, 'buy 1 BTC', NOBODY)).toBe(true);
  });
});
