/** The venue over real loopback sockets, spoken to by node:http and node:net alone. */
import { createHmac } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  startVenueServer,
  type VenueServer,
  type VenueServerOptions,
} from '../../../src/venue/http/server.js';
import { TapePlayer } from '../../../src/venue/tape-player.js';
import { ANNA, BERT, bookCore, PAIR, print, tapeCore } from './desk.js';
import { VirtualTime } from './virtual-time.js';

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
const servers: VenueServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  agent.destroy();
});

async function start(options: Partial<VenueServerOptions> = {}): Promise<VenueServer> {
  const time = new VirtualTime();
  const server = await startVenueServer({
    core: bookCore(),
    drivers: [],
    clock: time,
    timers: time,
    accounts: [ANNA, BERT],
    port: 0,
    ...options,
  });
  servers.push(server);
  return server;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: { readonly code: number; readonly msg: string; readonly result: Record<string, unknown> };
}

function exchange(
  server: VenueServer,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string | readonly string[] } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: '127.0.0.1', port: server.port, method, path, headers: options.headers, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const body = (text === '' ? { code: 0, msg: '', result: {} } : JSON.parse(text)) as Answer['body'];
          resolve({ status: response.statusCode, headers: response.headers, body });
        });
      },
    );
    sent.on('error', reject);
    if (typeof options.body === 'string') sent.end(options.body);
    else {
      // Without a content-length: chunked.
      for (const part of options.body ?? []) sent.write(part);
      sent.end();
    }
  });
}

function signed(who: typeof ANNA | typeof BERT, body: string): Record<string, string> {
  return {
    'content-type': 'application/x-www-form-urlencoded',
    'x-api-key': who.key,
    'x-signature': createHmac('sha256', who.secret).update(body).digest('base64'),
  };
}

function post(
  server: VenueServer,
  who: typeof ANNA | typeof BERT,
  path: string,
  body: string,
): Promise<Answer> {
  return exchange(server, 'POST', path, { headers: signed(who, body), body });
}

/** Bytes as they stand; gives all that came back until the server ended the connection. */
function raw(server: VenueServer, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    socket.on('close', () => {
      resolve(text);
    });
    socket.on('error', reject);
  });
}

test('two accounts trade over HTTP with signatures made by hand', async () => {
  const server = await start();
  const rest = await post(
    server,
    ANNA,
    '/auth/order',
    `pair=${PAIR}&side=SELL&qty=0.25&price=60000&post_only=true`,
  );
  expect(rest).toMatchObject({ status: 200, body: { code: 200, result: { order: { status: 'ACTIVE' } } } });
  const take = await post(server, BERT, '/auth/order', `pair=${PAIR}&side=BUY&qty=0.25`);
  expect(take.body.result).toMatchObject({ order: { status: 'COMPLETED', type: 'MARKET', price: 60_000 } });
  const position = await exchange(server, 'GET', `/position?pair=${PAIR}`, {
    headers: { 'X-API-KEY': BERT.key },
  });
  expect(position.body.result).toMatchObject({ size: 0.25, stats: { avg_entry: 60_000, direction: 'BUY' } });
  const trades = await exchange(server, 'GET', `/trades?pair=${PAIR}`);
  expect(trades.body.result).toMatchObject([{ price: 60_000, qty: 0.25, is_buyer_maker: false }]);
});

test('answers are JSON with a length, by the clock of the venue, over connections that stay open', async () => {
  const time = new VirtualTime(Date.UTC(2031, 1, 3, 4, 5, 6, 789));
  const server = await start({ clock: time, timers: time });
  const first = await exchange(server, 'GET', '/time');
  expect(first.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    date: 'Mon, 03 Feb 2031 04:05:06 GMT',
    connection: 'keep-alive',
  });
  expect(Number(first.headers['content-length'])).toBe(JSON.stringify(first.body).length);
  expect(first.headers['transfer-encoding']).toBeUndefined();
  expect(first.body).toEqual({ code: 200, msg: 'OK', result: Date.UTC(2031, 1, 3, 4, 5, 6, 789) });
});

test('a body in chunks is signed and read like any other', async () => {
  const server = await start();
  const body = `pair=${PAIR}&side=BUY&qty=0.001&price=50000`;
  const reply = await exchange(server, 'POST', '/auth/order', {
    headers: signed(ANNA, body),
    body: [body.slice(0, 10), body.slice(10, 11), body.slice(11)],
  });
  expect(reply.body).toMatchObject({ code: 200, result: { order: { price_orig: 50_000 } } });
});

test('a signature over other bytes than those sent is refused', async () => {
  const server = await start();
  const body = `pair=${PAIR}&side=BUY&qty=1&price=50000`;
  const reply = await exchange(server, 'POST', '/auth/order', {
    headers: signed(ANNA, body),
    body: body.replace('qty=1', 'qty=2'),
  });
  expect(reply).toMatchObject({
    status: 503,
    body: { code: 503, msg: expect.stringMatching(/^bad signature/) },
  });
});

test('a body beyond 64 KiB is refused, announced or in chunks, and the server goes on', async () => {
  const server = await start();
  const body = `pair=${PAIR}&note=${'x'.repeat(70_000)}`;
  for (const sent of [body, [body]]) {
    const reply = await exchange(server, 'POST', '/auth/order', { headers: signed(ANNA, body), body: sent });
    expect(reply).toMatchObject({ status: 503, body: { code: 503, result: {} } });
    expect(reply.body.msg).toMatch(/^malformed: body must be at most 65536 bytes/);
  }
  expect((await exchange(server, 'GET', '/time')).status).toBe(200);
});

test.each([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['a broken head', 'GET /time HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n'],
  ['a method that is none', 'G T /time HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a content-length that is none', 'POST /auth/order HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n'],
  ['a head too long', `GET /time HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n'],
  ['an impossible host', 'GET /time HTTP/1.1\r\nHost: a b\\c\r\nConnection: close\r\n\r\n'],
  [
    'an expectation that nobody can meet',
    'GET /time HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
  ],
  ['a target that is no path', 'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
])('%s gets the envelope, and the server goes on', async (_name, bytes) => {
  const server = await start();
  const [head = '', body = ''] = (await raw(server, bytes)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 503 /);
  const envelope = JSON.parse(body) as Answer['body'];
  expect(envelope).toMatchObject({
    code: 503,
    msg: expect.stringMatching(/^(malformed|unknown path): /),
    result: {},
  });
  expect((await exchange(server, 'GET', '/time')).status).toBe(200);
});

test('a request without a Host, in pipelined pairs, or with an absolute target is answered', async () => {
  const server = await start();
  const noHost = await raw(server, 'GET /time HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(noHost).toMatch(/^HTTP\/1\.1 200 /);
  const absolute = await raw(
    server,
    'GET http://elsewhere/time HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(absolute).toMatch(/^HTTP\/1\.1 200 /);
  const two =
    'GET /time HTTP/1.1\r\nHost: x\r\n\r\nGET /ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  expect((await raw(server, two)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 503']);
});

test('HEAD is GET without its body', async () => {
  const server = await start();
  const reply = await exchange(server, 'HEAD', '/time');
  expect([reply.status, reply.body.code]).toEqual([200, 0]);
  expect((await exchange(server, 'HEAD', '/nothing')).status).toBe(503);
});

test('a client that asks first whether to go on is told to', async () => {
  const server = await start();
  const body = `pair=${PAIR}&side=BUY&qty=0.001&price=50000`;
  const headers = Object.entries({
    ...signed(ANNA, body),
    'content-length': String(body.length),
    expect: '100-continue',
  });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const text = await raw(
    server,
    `POST /auth/order HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head}\r\n${body}`,
  );
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

test('an order whose body never came whole does not exist', async () => {
  const server = await start();
  const body = `pair=${PAIR}&side=BUY&qty=0.001&price=50000`;
  const head = Object.entries(signed(ANNA, body))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  await new Promise<void>((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => {
      const half = `POST /auth/order HTTP/1.1\r\nHost: x\r\ncontent-length: ${body.length}\r\n${head}\r\n${body.slice(0, -1)}`;
      socket.write(half, () => {
        socket.destroy();
      });
    });
    socket.on('close', () => {
      resolve();
    });
    socket.on('error', reject);
  });
  const orders = await exchange(server, 'GET', '/orders', { headers: { 'x-api-key': ANNA.key } });
  expect(orders.body.result).toEqual([]);
});

test('the market moves without requests, by the timers', async () => {
  const core = tapeCore();
  const time = new VirtualTime();
  const seen: string[] = [];
  core.onTrade((_pair, { id }) => seen.push(id));
  const tape = new TapePlayer(core, PAIR, [
    print(1, 5_000, 60_000),
    print(2, 5_400, 60_000),
    print(3, 9_000, 60_000),
  ]);
  const server = await start({ core, drivers: [tape], clock: time, timers: time });
  time.advance(1_000);
  expect(seen).toEqual(['1', '2']);
  await server.close();
  expect(time.waiting).toBe(0);
  time.advance(10_000);
  expect(seen).toEqual(['1', '2']);
});

test('a closed server answers nobody, and its port is free again', async () => {
  const server = await start();
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  await exchange(server, 'GET', '/time');
  await server.close();
  await expect(exchange(server, 'GET', '/time')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/);
  const again = await start({ port: server.port });
  expect(again.port).toBe(server.port);
});

test('there is an admin door only where one was asked for, and it closes with the venue', async () => {
  const plain = await start();
  expect(plain.adminUrl).toBeUndefined();
  const server = await start({ adminPort: 0 });
  const { adminUrl } = server;
  if (adminUrl === undefined) throw new Error('there must be an admin door');
  expect(adminUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(adminUrl).not.toBe(server.url);
  const reply = await fetch(`${adminUrl}/deposit`, {
    method: 'POST',
    body: new URLSearchParams({ account: 'anna', asset: 'USD', qty: '5' }),
  });
  expect(await reply.json()).toMatchObject({ code: 200, result: { status: 'COMPLETED', net: 5 } });
  const deposits = await exchange(server, 'GET', '/deposits', { headers: { 'x-api-key': ANNA.key } });
  expect(deposits.body.result).toMatchObject([{ asset: 'USD', qty: 5 }]);
  await server.close();
  await expect(fetch(`${adminUrl}/insurance`, { method: 'POST' })).rejects.toThrow();
});

test('an admin port that cannot be had leaves no venue behind', async () => {
  const taken = await start();
  const free = await start();
  const { port } = free;
  await free.close();
  await expect(start({ port, adminPort: taken.port })).rejects.toThrow(/EADDRINUSE/);
  expect((await start({ port })).port).toBe(port);
});

test('a port that is taken or impossible is an error', async () => {
  const server = await start();
  await expect(start({ port: server.port })).rejects.toThrow(/EADDRINUSE/);
  await expect(start({ port: 65_536 })).rejects.toThrow(/a port must be 0 to 65535/);
});
