/** What a malicious page, program or person on this machine may try against the control surface: all of it is refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  ask,
  type Ask,
  bearer,
  CANARY,
  CONTROL,
  JSON_TYPE,
  openSurface,
  raw,
  READ,
  STATUS,
  type Surface,
} from './fixture.js';

let surface: Surface;
let cookie: string;
let csrf: string;
const secret = new TextEncoder().encode(CANARY);

beforeAll(async () => {
  surface = await openSurface({
    assets: new Map([
      ['/', { type: 'text/html; charset=utf-8', bytes: secret }],
      ['/app.js', { type: 'text/javascript; charset=utf-8', bytes: secret }],
    ]),
    run: (id) => Promise.resolve({ id, secret: CANARY }),
  });
  const opened = await ask(surface, { path: `/open?code=${surface.access.link('control')}` });
  cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const session = await ask(surface, { path: '/api/session', headers: { cookie } });
  ({ csrf } = JSON.parse(session.body) as { csrf: string });
});
afterAll(() => surface.close());
beforeEach(() => {
  surface.asked.length = 0;
});

const flatten = JSON.stringify({ reason: 'attack', confirm: 'flatten' });
const pause = JSON.stringify({ reason: 'attack' });
const origin = () => `http://127.0.0.1:${surface.port}`;
/** A change as the own page asks for it. */
const own = (): Ask => ({
  method: 'POST',
  path: '/api/flatten',
  headers: { ...JSON_TYPE, cookie, origin: origin(), 'x-control-token': csrf },
  body: flatten,
});
const change = (headers: Ask['headers'], more: Ask = {}): Ask => ({
  ...own(),
  ...more,
  headers: { ...own().headers, ...headers },
});
const byToken = (token: string, more: Ask = {}): Ask => ({
  method: 'POST',
  path: '/api/flatten',
  body: flatten,
  ...more,
  headers: { ...JSON_TYPE, ...bearer(token), ...more.headers },
});

const ATTACKS: Readonly<Record<string, () => Ask>> = {
  'DNS rebinding: the name of the attacker in Host': () => change({ host: 'evil.example' }),
  'DNS rebinding: the name of the attacker, with the port': () =>
    change({ host: `evil.example:${surface.port}` }),
  'DNS rebinding: a read with a token': () => ({ headers: { host: 'evil.example', ...bearer(READ) } }),
  'DNS rebinding: a name that begins like ours': () =>
    change({ host: `127.0.0.1.evil.example:${surface.port}` }),
  'DNS rebinding: a name with a dot at its end': () => change({ host: `localhost.:${surface.port}` }),
  'DNS rebinding: our name without its port': () => change({ host: '127.0.0.1' }),
  'DNS rebinding: our name at another port': () => change({ host: '127.0.0.1:1' }),
  'DNS rebinding: 0.0.0.0': () => change({ host: `0.0.0.0:${surface.port}` }),
  'DNS rebinding: a user in front of our name': () => change({ host: `evil@127.0.0.1:${surface.port}` }),
  'DNS rebinding: an address in the request line': () => ({
    ...change({ host: 'evil.example' }),
    path: `http://127.0.0.1:${surface.port}/api/flatten`,
  }),
  'DNS rebinding: the name of the attacker in X-Forwarded-Host': () =>
    change({ host: 'evil.example', 'x-forwarded-host': `127.0.0.1:${surface.port}` }),
  'CSRF: a foreign Origin': () => change({ origin: 'https://evil.example' }),
  'CSRF: an Origin that begins like ours': () => change({ origin: `${origin()}.evil.example` }),
  'CSRF: the Origin of another port of this machine': () => change({ origin: 'http://127.0.0.1:3000' }),
  'CSRF: the Origin of another name of this machine': () =>
    change({ origin: `http://localhost:${surface.port}` }),
  'CSRF: https where http is meant': () => change({ origin: `https://127.0.0.1:${surface.port}` }),
  'CSRF: Origin null, as of a sandboxed frame': () => change({ origin: 'null' }),
  'CSRF: no Origin': () => change({ origin: undefined }),
  'CSRF: Sec-Fetch-Site cross-site': () => change({ 'sec-fetch-site': 'cross-site' }),
  'CSRF: Sec-Fetch-Site same-site, as of another port': () => change({ 'sec-fetch-site': 'same-site' }),
  'CSRF: a read from another site, as of an image': () => ({
    headers: { cookie, 'sec-fetch-site': 'cross-site' },
  }),
  'CSRF: no X-Control-Token': () => change({ 'x-control-token': undefined }),
  'CSRF: an empty X-Control-Token': () => change({ 'x-control-token': '' }),
  'CSRF: the cookie as X-Control-Token': () => change({ 'x-control-token': cookie.split('=')[1] }),
  'CSRF: a form of text/plain': () => change({ 'content-type': 'text/plain' }),
  'CSRF: a form, urlencoded': () =>
    change(
      { 'content-type': 'application/x-www-form-urlencoded' },
      { body: 'reason=attack&confirm=flatten' },
    ),
  'CSRF: a form, multipart': () =>
    change(
      { 'content-type': 'multipart/form-data; boundary=x' },
      { body: '--x\r\ncontent-disposition: form-data; name="reason"\r\n\r\nattack\r\n--x--\r\n' },
    ),
  'CSRF: no content type': () => change({ 'content-type': undefined }),
  'CSRF: a content type that begins like JSON': () => change({ 'content-type': 'application/jsonp' }),
  'CSRF: JSON as a parameter of text/plain': () =>
    change({ 'content-type': 'text/plain; x=application/json' }),
  'CSRF: a preflight': () => ({
    method: 'OPTIONS',
    path: '/api/flatten',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  }),
  'token: none': () => ({}),
  'token: none for a change': () => ({ method: 'POST', path: '/api/pause', headers: JSON_TYPE, body: pause }),
  'token: a wrong one': () => byToken('w'.repeat(43)),
  'token: the right one, shorter by a character': () => byToken(CONTROL.slice(1)),
  'token: the right one, longer by a character': () => byToken(`${CONTROL}c`),
  'token: in other letters': () => byToken(CONTROL.toUpperCase()),
  'token: empty': () => byToken(''),
  'token: endless': () => byToken('c'.repeat(4_000)),
  'token: of another scheme': () => byToken(CONTROL, { headers: { authorization: `Basic ${CONTROL}` } }),
  'token: in the query': () => ({ path: `/api/status?token=${READ}&access_token=${READ}` }),
  'token: as the cookie': () => ({ headers: { cookie: `tickwright-${surface.port}=${CONTROL}` } }),
  'token: a cookie of another daemon': () => ({
    headers: { cookie: `tickwright-1=${cookie.split('=')[1]}` },
  }),
  'token: the one to read with, for a change': () => byToken(READ),
  'link: none': () => ({ path: '/open' }),
  'link: a wrong one': () => ({ path: '/open?code=wrong' }),
  'link: the control token': () => ({ path: `/open?code=${CONTROL}` }),
  'link: asked for over HTTP': () =>
    byToken(CONTROL, { path: '/api/link', body: '{"control":true,"reason":"x"}' }),
  'method: PUT': () => change({}, { method: 'PUT' }),
  'method: DELETE': () => change({}, { method: 'DELETE' }),
  'method: PATCH': () => change({}, { method: 'PATCH' }),
  'method: TRACE': () => ({ method: 'TRACE', path: '/api/status', headers: { cookie } }),
  'method: a change by GET': () => ({ path: '/api/flatten?reason=x&confirm=flatten', headers: { cookie } }),
  'method: a change by HEAD': () => ({ method: 'HEAD', path: '/api/flatten', headers: { cookie } }),
  'method: overridden by a header': () => ({
    path: '/api/flatten',
    headers: { cookie, 'x-http-method-override': 'POST' },
  }),
  'method: overridden by the query': () => ({ path: '/api/flatten?_method=POST', headers: { cookie } }),
  'method: a link opened by POST': () => ({ method: 'POST', path: '/open?code=x', body: '' }),
  'body: not JSON': () => byToken(CONTROL, { body: '{reason: 1}' }),
  'body: none': () => byToken(CONTROL, { body: '' }),
  'body: null': () => byToken(CONTROL, { body: 'null' }),
  'body: a list': () => byToken(CONTROL, { body: '[{"reason":"x"}]' }),
  'body: a text': () => byToken(CONTROL, { body: '"flatten"' }),
  'body: two documents': () => byToken(CONTROL, { body: `${flatten}${flatten}` }),
  'body: nested without end': () => byToken(CONTROL, { body: '['.repeat(60_000) }),
  'body: __proto__': () =>
    byToken(CONTROL, { body: '{"reason":"x","confirm":"flatten","__proto__":{"scope":"control"}}' }),
  'body: a confirmation in __proto__': () =>
    byToken(CONTROL, { body: '{"reason":"x","__proto__":{"confirm":"flatten"}}' }),
  'body: constructor': () =>
    byToken(CONTROL, { body: '{"reason":"x","confirm":"flatten","constructor":{"prototype":{}}}' }),
  'body: a field that is not known': () =>
    byToken(CONTROL, { body: '{"reason":"x","confirm":"flatten","dryrun":true}' }),
  'body: a reason that is no text': () =>
    byToken(CONTROL, { body: '{"reason":{"a":1},"confirm":"flatten"}' }),
  'body: a reason of nothing but what cannot be seen': () =>
    byToken(CONTROL, { body: JSON.stringify({ reason: ' \n\u202e\u0007', confirm: 'flatten' }) }),
  'body: who asks is no text': () =>
    byToken(CONTROL, { body: '{"reason":"x","by":["root"],"confirm":"flatten"}' }),
  'body: not confirmed': () => byToken(CONTROL, { body: pause }),
  'body: another word confirmed': () => byToken(CONTROL, { body: '{"reason":"x","confirm":"cancel"}' }),
  'body: resume with another level confirmed': () =>
    byToken(CONTROL, { path: '/api/resume', body: '{"reason":"x","level":"stop","confirm":"pause"}' }),
  'body: stop at a level that is none': () =>
    byToken(CONTROL, { path: '/api/stop', body: '{"reason":"x","level":"now","confirm":"now"}' }),
  'body: stop at a level that every object has': () =>
    byToken(CONTROL, { path: '/api/stop', body: '{"reason":"x","level":"toString","confirm":"toString"}' }),
  'set: not confirmed': () =>
    byToken(CONTROL, { path: '/api/set', body: '{"reason":"x","pair":"A","params":{"a":"1"}}' }),
  'set: __proto__ as a parameter': () =>
    byToken(CONTROL, {
      path: '/api/set',
      body: '{"reason":"x","pair":"A","confirm":"A","params":{"__proto__":"1"}}',
    }),
  'set: constructor as a parameter': () =>
    byToken(CONTROL, {
      path: '/api/set',
      body: '{"reason":"x","pair":"A","confirm":"A","params":{"constructor":"1"}}',
    }),
  'set: parameters as a list': () =>
    byToken(CONTROL, { path: '/api/set', body: '{"reason":"x","pair":"A","confirm":"A","params":["1"]}' }),
  'set: a parameter that is no text': () =>
    byToken(CONTROL, { path: '/api/set', body: '{"reason":"x","pair":"A","confirm":"A","params":{"a":1}}' }),
  'swap: code is not loaded over HTTP': () =>
    byToken(CONTROL, {
      path: '/api/swap',
      body: '{"reason":"x","pair":"A","confirm":"A","file":"/tmp/evil.mjs","sha256":"0"}',
    }),
  'path: out of the assets': () => ({ path: '/../../etc/passwd', headers: bearer(READ) }),
  'path: out of the assets, encoded': () => ({ path: '/%2e%2e/%2e%2e/etc/passwd', headers: bearer(READ) }),
  'path: out of the assets, encoded twice': () => ({ path: '/%252e%252e%252fetc', headers: bearer(READ) }),
  'path: out of the assets, backslashes': () => ({ path: '/..\\..\\etc\\passwd', headers: bearer(READ) }),
  'path: a source map that is not there': () => ({ path: '/app.js.map', headers: bearer(READ) }),
  'path: the tokens themselves': () => ({ path: '/control.token', headers: bearer(READ) }),
  'path: out of the runs': () => ({ path: '/api/runs/..', headers: bearer(READ) }),
  'path: out of the runs, encoded': () => ({ path: '/api/runs/..%2f..%2fstate', headers: bearer(READ) }),
  'path: a zero byte in a run': () => ({ path: '/api/runs/a%00b', headers: bearer(READ) }),
  'path: an endless name of a run': () => ({ path: `/api/runs/${'a'.repeat(65)}`, headers: bearer(READ) }),
  'path: an object’s own name as a page': () => ({ path: '/__proto__', headers: bearer(READ) }),
  'query: rows below one': () => ({ path: '/api/recent?kind=log&n=-1', headers: bearer(READ) }),
  'query: rows that are no number': () => ({ path: '/api/recent?kind=log&n=1e999', headers: bearer(READ) }),
  'query: a kind that every object has': () => ({
    path: '/api/recent?kind=constructor',
    headers: bearer(READ),
  }),
  'a page without a token': () => ({ path: '/', headers: { accept: 'text/html' } }),
  'a script without a token': () => ({ path: '/app.js' }),
  'metrics without a token': () => ({ path: '/metrics' }),
  'readiness without a token': () => ({ path: '/readyz' }),
  'events without a token': () => ({ path: '/api/events', headers: { accept: 'text/event-stream' } }),
  'events for another page': () => ({
    path: '/api/events',
    headers: { cookie, origin: 'https://evil.example', accept: 'text/event-stream' },
  }),
  'a WebSocket': () => ({
    path: '/api/events',
    headers: { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'x'.repeat(24) },
  }),
};

/** No page of another site may read any answer, and no browser may take one for something else. */
function expectRefused(answer: Answer): void {
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(answer.raw).not.toContain(CANARY);
  expect(answer.raw).not.toMatch(/access-control-allow/i);
  expect(answer.headers.get('set-cookie')).toBeUndefined();
  expect(surface.asked).toEqual([]);
}

describe('the attack suite', () => {
  it.each(Object.entries(ATTACKS))('refuses %s', async (_, attack) => {
    expectRefused(await ask(surface, attack()));
  });

  it('would have seen it if one of them had got through', async () => {
    expect((await ask(surface, own())).status).toBe(200);
    expect(surface.asked).toEqual([{ method: 'flatten', args: [{ by: 'dashboard', reason: 'attack' }] }]);
    expect((await ask(surface, { headers: bearer(READ) })).body).toContain(CANARY);
    expect((await ask(surface, byToken(CONTROL))).status).toBe(200);
    for (const path of ['/', '/app.js', '/api/runs/a-run']) {
      expect((await ask(surface, { path, headers: bearer(READ) })).body).toContain(CANARY);
    }
  });

  it('has at least 100 attacks', () => {
    expect(Object.keys(ATTACKS).length).toBeGreaterThanOrEqual(100);
  });
});

describe('requests that two servers would read differently', () => {
  const head = () =>
    `Host: 127.0.0.1:${surface.port}\r\nAuthorization: Bearer ${CONTROL}\r\nConnection: close\r\n`;
  const smuggled = () => `POST /api/flatten HTTP/1.1\r\n${head()}`;
  const cases: Readonly<Record<string, () => string>> = {
    'two lengths': () => `${smuggled()}Content-Length: 4\r\nContent-Length: 60\r\n\r\n${flatten}`,
    'a length and chunks': () =>
      `${smuggled()}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled()}\r\n`,
    'chunks that are not the last coding': () =>
      `${smuggled()}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    'a length with a sign': () => `${smuggled()}Content-Length: +10\r\n\r\n${flatten}`,
    'a length that is no number': () => `${smuggled()}Content-Length: 0x10\r\n\r\n${flatten}`,
    'a space before the colon': () => `${smuggled()}Content-Length : 10\r\n\r\n${flatten}`,
    'a folded header': () => `${smuggled()}X-A: a\r\n Content-Length: 10\r\n\r\n`,
    'a bare line feed': () => `POST /api/flatten HTTP/1.1\n${head().replaceAll('\r\n', '\n')}\n`,
    'a chunk of a size that is none': () =>
      `${smuggled()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n${flatten}\r\n0\r\n\r\n`,
    'no Host': () => `GET /api/status HTTP/1.1\r\nAuthorization: Bearer ${READ}\r\nConnection: close\r\n\r\n`,
    'no Host, in HTTP/1.0': () => `GET /api/status HTTP/1.0\r\nAuthorization: Bearer ${READ}\r\n\r\n`,
    'two Hosts, the second ours': () => `GET /api/status HTTP/1.1\r\nHost: evil.example\r\n${head()}\r\n`,
    'a zero byte in a header': () => `GET /api/status HTTP/1.1\r\n${head()}X-A: a\0b\r\n\r\n`,
    'no HTTP at all': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'another protocol': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  };
  it.each(Object.entries(cases))('are refused: %s', async (_, bytes) => {
    expectRefused(await raw(surface.port, bytes()));
  });

  it('are not carried out either when they follow a refused one on its connection', async () => {
    const first = `POST /api/pause HTTP/1.1\r\nHost: 127.0.0.1:${surface.port}\r\nContent-Length: ${flatten.length}\r\n\r\n`;
    const answer = await raw(
      surface.port,
      `${first}${flatten}GET /api/status HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.raw.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 403']);
    expectRefused(answer);
  });
});

describe('what comes back', () => {
  const EVIL = '<img src=x onerror=alert(1)></script><script>alert(2)</script>';

  it('is JSON that no browser runs, whatever pairs, strategies and venues are called', async () => {
    surface.status = { ...STATUS, problems: [EVIL], venue: EVIL, version: EVIL };
    const answer = await ask(surface, { headers: bearer(READ) });
    surface.status = STATUS;
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(JSON.parse(answer.body)).toMatchObject({ problems: [EVIL], venue: EVIL });
  });

  it('has the same protections in errors, pages and events', async () => {
    const answers = [
      await ask(surface, {}),
      await ask(surface, { path: '/nothing', headers: bearer(READ) }),
      await ask(surface, { path: '/', headers: bearer(READ) }),
      await ask(surface, { path: '/', headers: { accept: 'text/html' } }),
      await ask(surface, { path: '/open?code=wrong' }),
      await ask(surface, { path: '/healthz' }),
    ];
    for (const { headers } of answers) {
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
  });

  it('is alike for the head alone of what needs no token, and a link is not used up by asking for its head', async () => {
    expect((await ask(surface, { method: 'HEAD', path: '/healthz' })).status).toBe(200);
    const path = `/open?code=${surface.access.link('read')}`;
    expect((await ask(surface, { method: 'HEAD', path })).status).toBe(401);
    expect((await ask(surface, { path })).status).toBe(303);
  });

  it('repeats nothing of a request into a page', async () => {
    const path = `/${encodeURIComponent(EVIL)}?q=${encodeURIComponent(EVIL)}`;
    for (const headers of [bearer(READ), { accept: 'text/html' }]) {
      const answer = await ask(surface, { path, headers });
      expect(answer.body).not.toContain('alert');
    }
  });

  it('tells a person without a session what to do, in a page without any script', async () => {
    const { status, headers, body } = await ask(surface, { path: '/', headers: { accept: 'text/html,*/*' } });
    expect(status).toBe(401);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(body).toContain('tickwright open');
    expect(body).not.toContain('<script');
  });

  it('writes one line of who asks and why into the journal, whatever they send', async () => {
    surface.asked.length = 0;
    const by = 'anna\n{"kind":"resume"}\u202e\u2028';
    const body = JSON.stringify({ by, reason: 'a\r\nb\u0000c\u001b[31m'.padEnd(2_000, 'x') });
    await ask(surface, byToken(CONTROL, { path: '/api/pause', body }));
    const request = surface.asked[0]?.args[0] as { by: string; reason: string };
    expect(request.by).toBe('http anna {"kind":"resume"}');
    expect(request.reason.slice(0, 9)).toBe('a b c [31');
    expect(request.reason).toHaveLength(500);
  });
});
