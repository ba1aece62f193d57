import { describe, expect, it } from 'vitest';
import { profileFrom } from '../../src/client/profile-overrides.js';
import { cautious, tickwright } from '../../src/client/profile.js';
import { UsageError } from '../../src/model/errors.js';

const refused = (overrides: unknown): UsageError => {
  try {
    profileFrom(cautious, overrides);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return error as UsageError;
  }
  throw new Error('it was taken');
};

describe('a profile that differs from another', () => {
  it('is the other one where nothing is said', () => {
    for (const nothing of [{}, undefined, null, { bulk: {}, orderFields: {} }]) {
      expect(profileFrom(cautious, nothing)).toEqual(cautious);
    }
  });

  it('can say everything that a profile says', () => {
    expect(profileFrom(cautious, tickwright)).toEqual(tickwright);
    // A file has null for none.
    const file = JSON.parse(JSON.stringify({ ...cautious, echo: null, crossLeverage: null })) as unknown;
    expect(profileFrom(tickwright, file)).toEqual(cautious);
  });

  it('merges parts by key and replaces lists', () => {
    const profile = profileFrom(tickwright, {
      name: 'my venue',
      orderFields: { triggerPrice: 'stop_price' },
      bulk: { atomic: false },
      definiteRefusals: ['no money'],
      limits: { ordersPerMinute: 30 },
      budget: { perSecond: 0.5 },
    });
    expect(profile).toEqual({
      ...tickwright,
      name: 'my venue',
      orderFields: { ...tickwright.orderFields, triggerPrice: 'stop_price' },
      bulk: { ...tickwright.bulk, atomic: false },
      definiteRefusals: ['no money'],
      limits: { restingPerPair: 60, ordersPerMinute: 30 },
      budget: { perSecond: 0.5, burst: 50 },
    });
  });

  it.each<[unknown, string]>([
    [
      { orderFields: { quantity: 7 } },
      'profile.orderFields.quantity must be a name of letters, digits and _, received 7',
    ],
    [
      { orderFields: { price: 'a b' } },
      'profile.orderFields.price must be a name of letters, digits and _, received "a b"',
    ],
    [
      { orderFields: { price: 'qty' } },
      'profile.orderFields.price must be unlike that of quantity, received "qty"',
    ],
    [{ bulk: { maxOrders: 0 } }, 'profile.bulk.maxOrders must be a whole number from 1 to 1000, received 0'],
    [
      { bulk: { maxOrders: '50' } },
      'profile.bulk.maxOrders must be a whole number from 1 to 1000, received "50"',
    ],
    [{ bulk: [] }, 'profile.bulk must be an object, received []'],
    [{ echo: 'tag' }, 'profile.echo must be oco or null, received "tag"'],
    [{ icebergs: 'parts' }, 'profile.icebergs must be one of slices, displayQuantity, received "parts"'],
    [{ signed: { draw: 'yes' } }, 'profile.signed.draw must be true or false, received "yes"'],
    [{ crossLeverage: -1 }, 'profile.crossLeverage must be a number of at least 0, or null, received -1'],
    [
      { definiteRefusals: ['fine', ''] },
      'profile.definiteRefusals[1] must be a text of at least 3 characters, received ""',
    ],
    [
      { definiteRefusals: 'all' },
      'profile.definiteRefusals must be a list of beginnings of messages, received "all"',
    ],
    [
      { orderLists: ['active', 'triggers'] },
      'profile.orderLists[1] must be one of active, all, completed, canceled, filled, partial, received "triggers"',
    ],
    [{ orderLists: [] }, 'profile.orderLists must be a list of order lists with active in it, received []'],
    [
      { orderLists: ['all', 'completed'] },
      'profile.orderLists must be a list of order lists with active in it, received ["all","completed"]',
    ],
    [{ budget: { perSecond: 0 } }, 'profile.budget.perSecond must be a number above 0, received 0'],
    [
      { recvWindowMs: 1e12 },
      'profile.recvWindowMs must be a whole number from 1 to 86400000, received 1000000000000',
    ],
    ['tickwright', 'profile must be an object, received "tickwright"'],
  ])('is refused for %o by its place', (overrides, message) => {
    const error = refused(overrides);
    expect([error.code, error.message]).toEqual(['TICKWRIGHT_E_PROFILE', message]);
  });

  it('names a key that nobody knows and those that it might have been', () => {
    expect(refused({ orderFields: { quanttiy: 'qty' } }).message).toMatch(
      /^profile\.orderFields\.quanttiy must be a key of profile\.orderFields: pair, quantity, side, /,
    );
    expect(refused({ recvWindow: 5 }).message).toMatch(
      /^profile\.recvWindow must be a key of profile: name, maxLimit, /,
    );
    expect(refused(JSON.parse('{"__proto__":{"name":"x"}}')).message).toMatch(
      /^profile\.__proto__ must be a key/,
    );
  });
});
