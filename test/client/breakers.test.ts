/** What a client still asks and sends when the venue fails it, in virtual time behind the transport port. */
import { describe, expect, it } from 'vitest';
import { cautious, tickwright, type VenueProfile } from '../../src/client/profile.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { OrderTerms } from '../../src/model/order.js';
import type { PlaceOutcome, VenueError } from '../../src/ports/venue-api.js';
import { envelope, MARKET, PAIR, refusal, WIRE_ORDER, WIRE_TRADE } from './fixtures.js';
import { lostAnswer, refusedConnection, type Script, scriptedVenue } from './scripted-transport.js';

const TERMS: OrderTerms = {
  side: 'buy',
  type: 'limit',
  ticks: 610_005 as Ticks,
  lots: 250 as Lots,
  timeInForce: 'GTC',
  postOnly: true,
  reduceOnly: false,
};
const EXIT: OrderTerms = { ...TERMS, postOnly: false, reduceOnly: true };
const record = (more: object = {}) =>
  envelope({ order: { ...WIRE_ORDER, qty_filled: 0, qty_remaining: 0.25, ...more } });
const healthy: Script = (request, path) => {
  if (path === '/trades') return { body: envelope([WIRE_TRADE]) };
  if (path === '/auth/order') {
    const reduces = new URLSearchParams(request.body).get('reduce_only') === 'true';
    return { body: record({ reduce_only: reduces, post_only: !reduces }) };
  }
  if (path === '/auth/cancel') return { body: envelope({ ...WIRE_ORDER, id: '77' }) };
  if (path === '/fills' || path === '/orders') return { body: envelope([]) };
  return { body: envelope({}) };
};

/** A venue that does as `script` says, which a test may change at any time. */
function venueOf(script: Script = healthy, profile = tickwright) {
  let now = script;
  const venue = scriptedVenue((request, path) => now(request, path), profile);
  const { client, time } = venue;
  const failureOf = (read: Promise<unknown>) =>
    time.until(
      read.then(
        () => undefined,
        (error: unknown) => error as VenueError,
      ),
    );
  return {
    ...venue,
    become: (next: Script) => {
      now = next;
    },
    trades: () => failureOf(client.trades({ pair: PAIR })),
    fills: () => failureOf(client.fills()),
    place: (terms = TERMS): Promise<PlaceOutcome> => time.until(client.place(MARKET, terms, 'tag')),
    cancel: () => time.until(client.cancel('77')),
    states: () => {
      const { public: open, privateRead, order } = client.health.breakers;
      return `${open.state} ${privateRead.state} ${order.state}`;
    },
  };
}

const times = async (count: number, act: () => Promise<unknown>) => {
  for (let i = 0; i < count; i++) await act();
};

describe('reads', () => {
  it('are not asked any more after five failures, and say so without a request', async () => {
    const { trades, states, seen, client } = venueOf(refusedConnection);
    await times(5, trades);
    expect(states()).toBe('open closed closed');
    expect(client.health.breakers.public.reason).toMatch(
      /5 of the last 5 calls failed, the last with: no conn/,
    );
    const asked = seen.length;
    const error = await trades();
    expect(seen).toHaveLength(asked);
    expect(error).toMatchObject({ name: 'VenueError', kind: 'unreachable' });
    expect(error?.message).toMatch(
      /^GET \/trades was not asked: the public breaker is open for \d+\.\d s more/,
    );
    expect(error?.retryAfterMs).toBeGreaterThan(0);
  });

  it('are asked once, without retries, when the pause is over', async () => {
    const { trades, states, seen, time, client } = venueOf(refusedConnection);
    await times(5, trades);
    // The first pause is at most 5 s.
    await time.advance(5_000);
    expect(client.health.breakers.public.state).toBe('half-open');
    const before = seen.length;
    await trades();
    expect(seen).toHaveLength(before + 1);
    expect(states()).toBe('open closed closed');
  });

  it('come back with the first answer', async () => {
    const { trades, become, states, time } = venueOf(refusedConnection);
    await times(5, trades);
    become(healthy);
    await time.advance(5_000);
    expect(await trades()).toBeUndefined();
    expect(states()).toBe('closed closed closed');
    expect(await trades()).toBeUndefined();
  });

  it('of the account fail apart from public ones, and nothing is ordered that could not be looked at', async () => {
    const { trades, fills, become, states, place, cancel, seen } = venueOf();
    become((request, path) => (path === '/fills' ? lostAnswer() : healthy(request, path)));
    await times(5, fills);
    expect(states()).toBe('closed open open');
    expect(await trades()).toBeUndefined();
    const before = seen.length;
    const outcome = await place();
    expect(outcome).toMatchObject({ kind: 'not-sent' });
    expect((outcome as { reason: string }).reason).toMatch(
      /^orders wait while private reads fail: 5 of the last/,
    );
    expect(seen).toHaveLength(before);
    expect(await cancel()).toMatchObject({ kind: 'answered' });
    expect(await place(EXIT)).toMatchObject({ kind: 'accepted' });
  });

  it('that the venue throttles do not open anything', async () => {
    const { trades, states } = venueOf(() => ({
      status: 429,
      body: '{"code":429,"msg":"try again in 0.01 seconds?","result":null}',
    }));
    await times(12, trades);
    expect(states()).toBe('closed closed closed');
  });

  it('that are refused for good do not open anything, and bare refusals do', async () => {
    const known = venueOf(() => ({ status: 503, body: refusal('unknown pair X') }));
    await times(12, known.trades);
    expect(known.states()).toBe('closed closed closed');
    const bare = venueOf(() => ({ status: 503, body: refusal('busy') }));
    await times(5, bare.trades);
    expect(bare.states()).toBe('open closed closed');
  });

  it('that take most of their deadline open it', async () => {
    // 4.5 s of 8 s for a list.
    const slow = venueOf(() => ({ body: envelope([WIRE_TRADE]), ms: 4_500 }));
    const { trades, states } = slow;
    await times(19, trades);
    expect(states()).toBe('closed closed closed');
    await trades();
    expect(states()).toBe('open closed closed');
  });
});

describe('orders', () => {
  const doubtful: Script = (request, path) =>
    path === '/auth/order' ? lostAnswer() : healthy(request, path);

  it('wait after two doubts, and one goes when the pause is over', async () => {
    const { place, become, states, time, seen, client } = venueOf();
    await place();
    become(doubtful);
    expect(await place()).toMatchObject({ kind: 'in-doubt' });
    expect(states()).toBe('closed closed closed');
    expect(await place()).toMatchObject({ kind: 'in-doubt' });
    expect(states()).toBe('closed closed open');
    expect(client.health.breakers.order.reason).toMatch(
      /^2 of the last 3 orders are in doubt, the last for:/,
    );
    const before = seen.length;
    expect(await place()).toMatchObject({ kind: 'not-sent' });
    expect(seen).toHaveLength(before);
    become(healthy);
    await time.advance(5_000);
    expect(await place()).toMatchObject({ kind: 'accepted' });
    expect(states()).toBe('closed closed closed');
  });

  it('go on while fewer than two in a hundred are in doubt', async () => {
    const { place, become, states } = venueOf();
    become(doubtful);
    await place();
    become(healthy);
    // The doubt is the oldest of 100 posts, then none of them.
    await times(100, place);
    become(doubtful);
    await place();
    expect(states()).toBe('closed closed closed');
  });

  it('wait when no connection comes to be', async () => {
    const { place, states } = venueOf(refusedConnection);
    await times(4, place);
    expect(states()).toBe('closed closed closed');
    await place();
    expect(states()).toBe('closed closed open');
  });

  it('that the last word holds back are no calls', async () => {
    const { client, time, states } = venueOf();
    for (let i = 0; i < 12; i++) {
      await time.until(client.place(MARKET, TERMS, 'tag', undefined, () => 'no'));
    }
    expect(states()).toBe('closed closed closed');
  });

  it('are in doubt for the breaker too when another order comes back', async () => {
    const { place, states } = venueOf((_, path) =>
      path === '/auth/order' ? { body: record({ qty_orig: 1 }) } : { body: envelope({}) },
    );
    await times(2, place);
    expect(states()).toBe('closed closed open');
  });

  it('that only reduce are told by too, and one of them may be the one that tries', async () => {
    const { place, become, states, time } = venueOf(doubtful);
    await times(2, () => place(EXIT));
    expect(states()).toBe('closed closed open');
    expect(await place(EXIT)).toMatchObject({ kind: 'in-doubt' });
    become(healthy);
    await time.advance(300_000);
    expect(await place(EXIT)).toMatchObject({ kind: 'accepted' });
    expect(states()).toBe('closed closed closed');
  });

  it('are in doubt when a gateway throttles them, and are none for the breaker', async () => {
    const { place, states, time } = venueOf(() => ({ status: 429, body: '<html>Too Many Requests</html>' }));
    for (let i = 0; i < 3; i++) {
      expect(await place()).toMatchObject({ kind: 'in-doubt' });
      await time.advance(60_000);
    }
    expect(states()).toBe('closed closed closed');
  });

  it('that the venue refuses by name are answers', async () => {
    const { place, states } = venueOf(() => ({ status: 503, body: refusal('insufficient balance') }));
    await times(12, place);
    expect(states()).toBe('closed closed closed');
  });
});

describe('a timestamp that the venue does not take', () => {
  const tooOld: Script = () => ({
    status: 408,
    body: '{"code":414,"msg":"The timestamp is too old.","result":null}',
  });

  it('is a definite refusal, and the next order asks for the time first', async () => {
    const { place, become, timesAsked } = venueOf();
    await place();
    const asked = timesAsked();
    await place();
    expect(timesAsked()).toBe(asked);
    become(tooOld);
    expect(await place()).toEqual({ kind: 'refused', reason: 'The timestamp is too old.' });
    expect(timesAsked()).toBe(asked);
    become(healthy);
    expect((await place()).kind).toBe('accepted');
    expect(timesAsked()).toBeGreaterThan(asked);
  });
});

describe('cancels', () => {
  it('are sent whatever failed before', async () => {
    const { cancel, place, fills, seen, states } = venueOf(lostAnswer);
    await times(5, fills);
    await times(3, place);
    expect(states()).toBe('closed open open');
    await times(20, cancel);
    expect(seen.filter((line) => line === 'POST /auth/cancel')).toHaveLength(20);
  });
});

describe('a key that the venue does not take', () => {
  const revoked: Script = (request, path) =>
    path.startsWith('/auth') || path === '/fills'
      ? { status: 503, body: refusal('unknown key: x-api-key must be a key of this venue') }
      : healthy(request, path);

  it('stops private calls after three refusals, but for one a minute', async () => {
    const { fills, trades, place, seen, time, states, client } = venueOf(revoked);
    // A poll and an order each second, for ten minutes.
    const calls: number[] = [];
    for (let second = 0; second < 600; second++) {
      await fills();
      await place();
      await trades();
      calls[second] = seen.filter((line) => line !== 'GET /trades').length;
      await time.advance(1_000);
    }
    expect(calls[59]).toBeLessThanOrEqual(6);
    expect((calls[359] ?? 0) - (calls[59] ?? 0)).toBeLessThanOrEqual(5);
    expect(seen.filter((line) => line === 'GET /trades')).toHaveLength(600);
    expect(states()).toMatch(/^closed (open|half-open) open$/);
    expect(client.health.breakers.privateRead.reason).toMatch(/^the key is refused: unknown key/);
  });

  it('works again with the first read that it is taken for', async () => {
    const { fills, become, time, states, place } = venueOf(revoked);
    await times(3, fills);
    expect(states()).toBe('closed open open');
    become(healthy);
    await time.advance(60_000);
    expect(await fills()).toBeUndefined();
    expect(states()).toBe('closed closed closed');
    expect((await place()).kind).toBe('accepted');
  });

  it('is known by HTTP 401 and 403 where no messages are known', async () => {
    for (const status of [401, 403]) {
      const { fills, seen } = venueOf(() => ({ status, body: refusal('go away') }), cautious);
      await times(10, fills);
      expect(seen).toHaveLength(3);
    }
  });

  it('is told as that, also where nothing that the venue says proves what became of an order', async () => {
    const words: VenueProfile = { ...cautious, authRefusals: ['Invalid API-key'] };
    const { fills, place, cancel } = venueOf(
      () => ({ status: 503, body: refusal('Invalid API-key.') }),
      words,
    );
    expect(await fills()).toMatchObject({ kind: 'refused', isUnauthorized: true });
    expect(await place()).toMatchObject({ kind: 'in-doubt', isUnauthorized: true });
    expect(await cancel()).toMatchObject({ kind: 'unanswered', isUnauthorized: true });
    const others = venueOf(() => ({ status: 503, body: refusal('no funds') }), words);
    expect(await others.fills()).toMatchObject({ kind: 'refused', isUnauthorized: false });
    expect(await others.cancel()).toEqual({ kind: 'unanswered', reason: 'no funds' });
  });

  it('is not taken for one because of two refusals', async () => {
    const { fills, become, states } = venueOf(revoked);
    await times(2, fills);
    become(healthy);
    await fills();
    become(revoked);
    await times(2, fills);
    expect(states()).toBe('closed closed closed');
  });
});

describe('a signature that the venue does not take', () => {
  it('stops orders after three, but for one a minute, while reads go on', async () => {
    const { place, fills, seen, time, states } = venueOf((request, path) =>
      path === '/auth/order'
        ? { status: 503, body: refusal('bad signature: x-signature must be …') }
        : healthy(request, path),
    );
    for (let second = 0; second < 180; second++) {
      await place();
      expect(await fills()).toBeUndefined();
      await time.advance(1_000);
    }
    expect(states()).toMatch(/^closed closed (open|half-open)$/);
    expect(seen.filter((line) => line === 'POST /auth/order').length).toBeLessThanOrEqual(6);
  });
});
