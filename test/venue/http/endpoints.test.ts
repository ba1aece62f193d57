/** Every path of the specification is there, with its method and what it asks for. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../../src/venue/http/routes.js';
import { ANNA, Desk, form, PAIR, sign } from './desk.js';

const SPECIFICATION = new URL('../../../../shared/spec/trading-service-api.md', import.meta.url);

/** Beside the specification (`dialect.md` §3). */
const EXTENSIONS = ['GET /balances', 'GET /account'];

test('the venue has the 31 endpoints of the specification, /balances and /account, and no other', ({
  skip,
}) => {
  let text: string;
  try {
    text = readFileSync(SPECIFICATION, 'utf8');
  } catch {
    if (process.env['CI'] === 'true') throw new Error('the specification must be there in CI');
    return skip('the specification is not beside this checkout');
  }
  const section = text.slice(text.indexOf('\n## Endpoints'), text.indexOf('\n## Authentication'));
  const named = new Set<string>();
  for (const [, method, path] of section.matchAll(/\| (GET|POST) \| (\/\S+) \|/g))
    named.add(`${method} ${path}`);
  for (const [, method, path] of section.matchAll(/^(POST) (\/\S+):/gm)) named.add(`${method} ${path}`);
  const byName = /These exist by name: GET ([^;]+); POST ([^.]+)\./.exec(section);
  for (const path of (byName?.[1] ?? '').split(', ')) named.add(`GET ${path}`);
  for (const path of (byName?.[2] ?? '').split(', ')) named.add(`POST ${path}`);
  expect(named.size).toBe(31);
  const served = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(served).size).toBe(served.length);
  expect([...served].sort()).toEqual([...named, ...EXTENSIONS].sort());
});

const PUBLIC = ['/time', '/pairs', '/assets', '/trades', '/ticker', '/depth', '/ohlcv'];
const KEY_POSTS = ['/fund', '/draw', '/leverage'];

test('what is public, what needs a key and what needs a signature is as the specification says', () => {
  for (const { method, path, access } of ENDPOINTS) {
    const expected = PUBLIC.includes(path)
      ? 'public'
      : path.startsWith('/auth/')
        ? 'signed'
        : method === 'GET' || KEY_POSTS.includes(path)
          ? 'key'
          : 'none of these';
    expect(`${path} ${access}`).toBe(`${path} ${expected}`);
  }
});

/** Fields with which each endpoint has something to say that is no refusal of credentials. */
const FIELDS = { pair: PAIR, id: '1', qty: '1', leverage: '2' };

describe.each(
  ENDPOINTS.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)('%s', (_name, { method, path, access }) => {
  const text = form(FIELDS);
  const send = (headers: Record<string, string>) => {
    const desk = new Desk();
    return method === 'GET'
      ? desk.request(`${path}?${text}`, { headers })
      : desk.request(path, { method, body: text, headers });
  };
  const right = sign(ANNA.secret, text);
  const wrong = sign(ANNA.secret, `${text}&`);
  const key = { 'x-api-key': ANNA.key };
  const isRefused = /^(missing key|unknown key|bad signature): /;
  const cases: [string, Record<string, string>, 'public' | 'key' | 'signed'][] = [
    ['no header', {}, 'public'],
    ['an empty key', { 'x-api-key': '' }, 'public'],
    ['an unknown key', { 'x-api-key': 'nobody' }, 'public'],
    ['an unknown key and a signature', { 'x-api-key': 'nobody', 'x-signature': right }, 'public'],
    ['a signature alone', { 'x-signature': right }, 'public'],
    ['a key', key, 'key'],
    ['a key and a wrong signature', { ...key, 'x-signature': wrong }, method === 'GET' ? 'key' : 'public'],
    ['a key and its signature', { ...key, 'x-signature': right }, 'signed'],
  ];

  test.each(cases)('with %s', async (_credentials, headers, most) => {
    const levels = ['public', 'key', 'signed'];
    const mayPass = levels.indexOf(most) >= levels.indexOf(access);
    const { msg, status } = await send(headers);
    if (mayPass) expect(msg).not.toMatch(isRefused);
    else expect([status, msg]).toEqual([503, expect.stringMatching(isRefused)]);
  });

  test('with another method is an unknown path', async () => {
    const other = method === 'GET' ? 'POST' : 'GET';
    const reply = await new Desk().request(path, { method: other, headers: key });
    expect(reply).toMatchObject({ status: 503, msg: `unknown path: ${path} takes ${method}`, result: {} });
  });

  test('with a broken escape is malformed and says so', async () => {
    const broken = 'pair=%E0%A4%A';
    const headers = { ...key, 'x-signature': sign(ANNA.secret, broken) };
    const desk = new Desk();
    const reply =
      method === 'GET'
        ? await desk.request(`${path}?${broken}`, { headers })
        : await desk.request(path, { method, body: broken, headers });
    expect(reply).toMatchObject({ status: 503, code: 503, result: {} });
    expect(reply.msg).toMatch(/^malformed: parameters must be percent-encoded UTF-8/);
  });
});
