import { createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkedBaseUrl } from '../../src/client/base-url.js';
import { type UndiciTransportOptions, undiciTransport } from '../../src/client/transport.js';
import { UsageError } from '../../src/model/errors.js';
import type { CancelTimer, Timers } from '../../src/ports/clock.js';
import { HttpFailure, type HttpRequest, type HttpTransport } from '../../src/ports/http.js';
import { systemClock } from '../../src/platform/clock.js';
import { systemTimers } from '../../src/platform/timers.js';
import { closedPort, httpServer, type LocalServer, tcpServer, timersUpWhen, until } from './local-server.js';

let open: { close(): Promise<void> }[] = [];
beforeEach(() => {
  open = [];
});
afterEach(async () => {
  for (const thing of open.toReversed()) await thing.close();
});

function keep<T extends { close(): Promise<void> }>(thing: T): T {
  open.push(thing);
  return thing;
}

function transportTo(url: string, options: Partial<UndiciTransportOptions> = {}): HttpTransport {
  return keep(
    undiciTransport({ baseUrl: url, clock: systemClock, timers: systemTimers, environment: {}, ...options }),
  );
}

const get = (server: { url: string }, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url: `${server.url}/time?x=1`,
  headers: {},
  deadlineMs: 2_000,
  ...more,
});
const order = (server: { url: string }, more: Partial<HttpRequest> = {}): HttpRequest =>
  get(server, { method: 'POST', url: `${server.url}/auth/order`, body: 'a=1&b=2', lane: 'order', ...more });

async function failureOf(answer: Promise<unknown>): Promise<Pick<HttpFailure, 'reason' | 'sent'>> {
  const error = (await answer.then(
    () => undefined,
    (failure: unknown) => failure,
  )) as HttpFailure | undefined;
  expect(error?.name).toBe('HttpFailure');
  return { reason: error?.reason ?? 'other', sent: error?.sent ?? true };
}

/** Timers that go off when a test says so. */
class HeldTimers implements Timers {
  #held: { readonly ms: number; readonly task: () => void }[] = [];

  soon(task: () => void): CancelTimer {
    return systemTimers.soon(task);
  }

  after(ms: number, task: () => void): CancelTimer {
    const held = { ms, task };
    this.#held.push(held);
    return () => {
      this.#held = this.#held.filter((other) => other !== held);
    };
  }

  waiting(ms: number): number {
    return this.#held.filter((held) => held.ms === ms).length;
  }

  /** The one that was set as number `at` of those that wait for so long. */
  ring(ms: number, at = 0): void {
    const held = this.#held.filter((other) => other.ms === ms)[at];
    this.#held = this.#held.filter((other) => other !== held);
    held?.task();
  }
}

describe.each(['poll', 'order'] as const)('a request on lane %s', (lane) => {
  it('is answered with status, headers and body', async () => {
    const server = keep(
      await httpServer((_request, response) => response.writeHead(503, { 'retry-after': '7' }).end('später')),
    );
    const answer = await transportTo(server.url).exchange(get(server, { lane }));
    expect(answer.status).toBe(503);
    expect(answer.body).toBe('später');
    expect(answer.headers['retry-after']).toBe('7');
    expect(server.seen.map(({ url }) => url)).toEqual(['/time?x=1']);
  });

  it('sends the body byte for byte', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const body = 'a=%7E&b=x+y&c=1';
    await transportTo(server.url).exchange(order(server, { lane, body }));
    expect(server.seen[0]?.body).toBe(body);
  });

  it('fails with an error that knows nothing of its headers and its body, however deep one looks', async () => {
    const secrets = { 'x-api-key': 'canary-key-5a1f', 'x-signature': 'Y2FuYXJ5LXNpZ25hdHVyZQ==' };
    const answers: readonly ((socket: Socket, request: Buffer) => void)[] = [
      (socket) => socket.resetAndDestroy(),
      (socket) => socket.end(),
      (socket) => socket.end('no HTTP at all\r\n\r\n'),
      (socket, request) => socket.end(request),
      (socket, request) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n${request.toString()}`),
      (socket, request) => {
        const [line = ''] = request.toString().split('x-api-key');
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: -1\r\nx-a: ${line}canary-key-5a1f\r\n\r\n`);
      },
    ];
    const servers = await Promise.all(
      answers.map((answer) =>
        tcpServer((socket) => socket.once('data', (request: Buffer) => answer(socket, request))),
      ),
    );
    const urls = [...servers.map((server) => keep(server).url), await closedPort()];
    for (const [index, url] of urls.entries()) {
      const body = 'oco=canary-body';
      const request = order({ url }, { lane, headers: secrets, body, deadlineMs: 1_000 });
      const error: unknown = await transportTo(url)
        .exchange(request)
        .catch((failure: unknown) => failure);
      expect(error, `answer ${index}`).toBeInstanceOf(HttpFailure);
      const all = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true });
      expect(all, `answer ${index}`).not.toMatch(/canary|Y2FuYXJ5/i);
    }
  });

  it('was certainly not sent when nobody listens', async () => {
    const url = await closedPort();
    expect(await failureOf(transportTo(url).exchange(order({ url }, { lane })))).toEqual({
      reason: 'refused',
      sent: false,
    });
  });

  it('counts as sent when the connection is reset after it', async () => {
    const server = keep(await tcpServer((socket) => socket.once('data', () => socket.resetAndDestroy())));
    expect(await failureOf(transportTo(server.url).exchange(order(server, { lane })))).toEqual({
      reason: 'reset',
      sent: true,
    });
  });

  it('counts as sent when the connection ends without an answer', async () => {
    const server = keep(await tcpServer((socket) => socket.once('data', () => socket.end())));
    expect(await failureOf(transportTo(server.url).exchange(order(server, { lane })))).toEqual({
      reason: 'reset',
      sent: true,
    });
  });

  it('is ended by its deadline however the answer trickles', async () => {
    let drops = 0;
    const server = keep(
      await tcpServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
        const drip = setInterval(() => socket.write('x', () => drops++), 5);
        socket.on('close', () => clearInterval(drip));
      }),
    );
    const transport = transportTo(server.url, { timers: timersUpWhen(() => drops > 5) });
    expect(await failureOf(transport.exchange(get(server, { lane })))).toEqual({
      reason: 'timeout',
      sent: true,
    });
    await until(() => server.connections.every(({ destroyed }) => destroyed));
  });

  it('is ended by its deadline when the server says nothing', async () => {
    let heard = false;
    const server = keep(
      await tcpServer((socket) => {
        socket.once('data', () => {
          heard = true;
        });
      }),
    );
    const transport = transportTo(server.url, { timers: timersUpWhen(() => heard) });
    expect(await failureOf(transport.exchange(order(server, { lane })))).toEqual({
      reason: 'timeout',
      sent: true,
    });
  });

  it('lasts no longer than its deadline', async () => {
    const server = keep(await tcpServer(() => undefined));
    const startedAt = systemClock.monotonic();
    expect(
      (await failureOf(transportTo(server.url).exchange(get(server, { lane, deadlineMs: 50 })))).reason,
    ).toBe('timeout');
    expect(systemClock.monotonic() - startedAt).toBeGreaterThanOrEqual(50);
  });

  it('says its deadline in whole milliseconds', async () => {
    const server = keep(await tcpServer(() => undefined));
    const answer = transportTo(server.url).exchange(get(server, { lane, deadlineMs: 49.999999999999 }));
    await expect(answer).rejects.toThrow('no complete answer within 50 ms');
  });

  it('does not take more than 8 MiB, with or without an announced length', async () => {
    const bytes = Buffer.alloc(9 * 1024 * 1024, 'x');
    const announced = keep(await httpServer((_request, response) => response.end(bytes)));
    const chunked = keep(
      await httpServer((_request, response) => {
        response.write(bytes);
        response.end();
      }),
    );
    for (const server of [announced, chunked]) {
      expect(await failureOf(transportTo(server.url).exchange(get(server, { lane })))).toEqual({
        reason: 'too-large',
        sent: true,
      });
    }
  });

  it('is no answer when the body is shorter than announced', async () => {
    const server = keep(
      await tcpServer((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"code":200')),
      ),
    );
    expect(await failureOf(transportTo(server.url).exchange(order(server, { lane })))).toEqual({
      reason: 'reset',
      sent: true,
    });
  });

  it('is not followed to where a redirect points', async () => {
    const other = keep(await httpServer((_request, response) => response.end('stolen')));
    const server = keep(
      await httpServer((_request, response) =>
        response.writeHead(307, { location: `${other.url}/auth/order` }).end(),
      ),
    );
    const answer = await transportTo(server.url).exchange(order(server, { lane }));
    expect(answer.status).toBe(307);
    expect(other.connections).toEqual([]);
  });

  it('goes to its host however the address is written', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url);
    const { port } = new URL(server.url);
    await transport.exchange(order(server, { lane, url: `HTTP://127.0.0.1:${port}/auth/order?x=1#y` }));
    expect(server.seen.map(({ url }) => url)).toEqual(['/auth/order?x=1']);
  });

  it('goes to no other host than the one the transport was made for', async () => {
    const other = keep(await httpServer((_request, response) => response.end('{}')));
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    expect(await failureOf(transportTo(server.url).exchange(order(other, { lane })))).toEqual({
      reason: 'other',
      sent: false,
    });
    expect(other.connections).toEqual([]);
  });

  it('is given up by its signal', async () => {
    const server = keep(await tcpServer(() => undefined));
    const abort = new AbortController();
    const answer = failureOf(transportTo(server.url).exchange(order(server, { lane, signal: abort.signal })));
    await until(() => server.connections.length > 0);
    abort.abort();
    expect((await answer).reason).toBe('aborted');
  });

  it('was certainly not sent when its signal had aborted before', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const failure = await failureOf(
      transportTo(server.url).exchange(order(server, { lane, signal: AbortSignal.abort() })),
    );
    expect(failure).toEqual({ reason: 'aborted', sent: false });
    expect(server.seen).toEqual([]);
  });

  it('ignores proxy settings of the environment', async () => {
    const proxy = keep(await httpServer((_request, response) => response.end('proxied')));
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy'])
      vi.stubEnv(name, proxy.url);
    const server = keep(await httpServer((_request, response) => response.end('direct')));
    expect((await transportTo(server.url).exchange(get(server, { lane }))).body).toBe('direct');
    expect(proxy.connections).toEqual([]);
  });
});

describe('lane poll', () => {
  it('uses its few connections again', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url);
    for (let i = 0; i < 10; i++) await transport.exchange(get(server));
    expect(server.connections.length).toBeLessThanOrEqual(2);
  });

  it('keeps a request that waits for a connection in the house, also after it was given up', async () => {
    const held: { end(): void }[] = [];
    const server = keep(await httpServer((_request, response) => void held.push(response)));
    const transport = transportTo(server.url, { pollConnections: 1 });
    const first = transport.exchange(get(server, { deadlineMs: 20_000 }));
    await until(() => server.seen.length === 1);
    expect(await failureOf(transport.exchange(order(server, { lane: 'poll', deadlineMs: 40 })))).toEqual({
      reason: 'timeout',
      sent: false,
    });
    held[0]?.end();
    await first;
    const last = transport.exchange(get(server));
    await until(() => held.length === 2);
    held[1]?.end();
    await last;
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });
});

describe('lane order', () => {
  it('never sends two requests on one connection', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url);
    for (let i = 0; i < 10; i++) await transport.exchange(order(server));
    expect(new Set(server.seen.map(({ connection }) => connection)).size).toBe(10);
  });

  it('takes a connection that was opened ahead', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url, { spareConnections: 1 });
    await transport.exchange(order(server));
    await until(() => server.connections.length === 2);
    await transport.exchange(order(server));
    expect(server.seen[1]?.connection.remotePort).toBe(server.connections[1]?.remotePort);
  });

  it('does not take a spare that the server has closed, and sends the order once', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url, { spareConnections: 1 });
    await transport.exchange(order(server));
    await until(() => server.connections.length === 2);
    const spare = server.connections[1];
    const closed = new Promise((resolve) => spare?.once('close', resolve));
    spare?.end();
    await closed;
    await transport.exchange(order(server));
    expect(server.seen).toHaveLength(2);
    expect(server.seen[1]?.connection).not.toBe(spare);
  });

  it('asks whether a request may still leave once its connection is made, and not where one is at hand', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url, { spareConnections: 1 });
    const seenWhenAsked: number[] = [];
    const mayLeave = (answer: (may: boolean) => void) => {
      seenWhenAsked.push(server.seen.length);
      answer(true);
    };
    await transport.exchange(order(server, { mayLeave }));
    await until(() => server.connections.length === 2);
    await transport.exchange(order(server, { mayLeave }));
    expect(server.seen).toHaveLength(2);
    expect(seenWhenAsked).toEqual([0]);
  });

  it('sends nothing when a request may not leave any more, and closes what was opened for it', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const answer = transportTo(server.url).exchange(order(server, { mayLeave: (tell) => tell(false) }));
    expect(await failureOf(answer)).toEqual({ reason: 'aborted', sent: false });
    await until(() => server.connections.length === 1 && server.connections.every((each) => each.destroyed));
    expect(server.seen).toEqual([]);
  });

  it('sends nothing on a connection that ended before the answer whether it may leave', async () => {
    const server = keep(await tcpServer((socket) => void socket.end()));
    let tell: ((may: boolean) => void) | undefined;
    const failed = failureOf(
      transportTo(server.url).exchange(
        order(server, {
          mayLeave: (answer) => {
            tell = answer;
          },
        }),
      ),
    );
    await until(() => tell !== undefined && server.connections.some(({ destroyed }) => destroyed));
    tell?.(true);
    expect(await failed).toEqual({ reason: 'reset', sent: false });
  });

  it('sends nothing when its deadline is over before the answer whether it may leave', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    let tell: ((may: boolean) => void) | undefined;
    const timers = timersUpWhen(() => tell !== undefined);
    const failed = failureOf(
      transportTo(server.url, { timers }).exchange(
        order(server, {
          mayLeave: (answer) => {
            tell = answer;
          },
        }),
      ),
    );
    expect(await failed).toEqual({ reason: 'timeout', sent: false });
    tell?.(true);
    await until(() => server.connections.every(({ destroyed }) => destroyed));
    expect(server.seen).toEqual([]);
  });

  it('does not take a spare that is older than it may be', async () => {
    let now = 0;
    const clock = { wall: () => 0, monotonic: () => now };
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url, { spareConnections: 1, clock });
    await transport.exchange(order(server));
    await until(() => server.connections.length === 2);
    now = 3_001;
    await transport.exchange(order(server));
    expect(server.seen[1]?.connection).not.toBe(server.connections[1]);
  });

  it('closes spares that nobody used', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url, { spareConnections: 2, spareMaxAgeMs: 30 });
    await transport.exchange(order(server));
    await until(
      () => server.connections.length === 3 && server.connections.every(({ destroyed }) => destroyed),
    );
  });

  it('has connections open before the first order when orders are expected', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url, { spareConnections: 2 });
    transport.expectOrders?.(true);
    await until(() => server.connections.length === 2);
    await transport.exchange(order(server));
    expect(server.connections.slice(0, 2)).toContain(server.seen[0]?.connection);
  });

  it('keeps a fresh one open while orders are expected, and none after', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url, { spareConnections: 1, spareMaxAgeMs: 40 });
    transport.expectOrders?.(true);
    // Each is followed by its successor before it is closed.
    await until(() => server.connections.filter(({ destroyed }) => destroyed).length >= 3);
    expect(server.connections.length).toBeGreaterThanOrEqual(4);
    transport.expectOrders?.(false);
    await until(() => server.connections.every(({ destroyed }) => destroyed));
    const opened = server.connections.length;
    await transport.exchange(get(server));
    expect(server.connections).toHaveLength(opened + 1);
  });

  it('keeps no more of them than it was told to', async () => {
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url, { spareConnections: 2, spareMaxAgeMs: 60 });
    const open = () => server.connections.filter(({ destroyed }) => !destroyed).length;
    let most = 0;
    transport.expectOrders?.(true);
    await until(() => {
      most = Math.max(most, open());
      return server.connections.length >= 10;
    });
    transport.expectOrders?.(false);
    // Two, and while they are replaced two more on their way out.
    expect(most).toBeLessThanOrEqual(4);
    await until(() => open() === 0);
  });

  it('goes on keeping one when a stall lets it grow too old before its successor was due', async () => {
    const timers = new HeldTimers();
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url, { spareConnections: 1, spareMaxAgeMs: 4_000, timers });
    transport.expectOrders?.(true);
    await until(() => timers.waiting(4_000) === 1);
    // After a stall Node runs all that is due of one duration, then all of another.
    timers.ring(4_000);
    await until(() => timers.waiting(4_000) === 1);
    expect(server.connections).toHaveLength(2);
    transport.expectOrders?.(false);
  });

  it('lets the one go whose successor has come, though an older one is there', async () => {
    const timers = new HeldTimers();
    const server = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url, { spareConnections: 2, spareMaxAgeMs: 4_000, timers });
    transport.expectOrders?.(true);
    await until(() => timers.waiting(3_000) === 2);
    timers.ring(3_000, 1);
    await until(
      () => server.connections.length === 3 && server.connections.some(({ destroyed }) => destroyed),
    );
    // The older one still waits for its successor, and so does the new one.
    expect(timers.waiting(3_000)).toBe(2);
    transport.expectOrders?.(false);
  });

  it('opens them again when there is a server again', async () => {
    const url = await closedPort();
    let opened = 0;
    const transport = transportTo(url, { spareConnections: 1, spareMaxAgeMs: 20 });
    transport.expectOrders?.(true);
    const port = Number(new URL(url).port);
    const server = createServer((socket) => {
      opened++;
      socket.on('error', () => undefined);
      keep({ close: () => Promise.resolve(void socket.destroy()) });
    });
    keep({ close: () => new Promise((resolve) => server.close(() => resolve())) });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    await until(() => opened > 0);
    transport.expectOrders?.(false);
  });

  it('does not open them as fast as a server closes them', async () => {
    const waits: number[] = [];
    let closed = 0;
    const timers = {
      ...systemTimers,
      after: (ms: number, task: () => void) => {
        waits.push(ms);
        return systemTimers.after(ms, task);
      },
    };
    const server = keep(
      await tcpServer((socket) => {
        closed++;
        socket.end();
      }),
    );
    const transport = transportTo(server.url, { spareConnections: 1, spareMaxAgeMs: 80, timers });
    transport.expectOrders?.(true);
    await until(() => closed >= 3);
    transport.expectOrders?.(false);
    // Between any two connections lies a wait of a quarter of their age.
    expect(waits.filter((ms) => ms === 20).length).toBeGreaterThanOrEqual(closed - 1);
  });

  it('leaves no connection behind when it is closed', async () => {
    const server: LocalServer = keep(await httpServer((_request, response) => response.end('{}')));
    const transport = transportTo(server.url);
    await transport.exchange(order(server));
    await transport.exchange(get(server));
    await transport.close();
    await until(() => server.connections.every(({ destroyed }) => destroyed));
  });
});

describe('the address of a venue', () => {
  it.each([
    'https://venue.example',
    'http://127.0.0.1:80',
    'http://localhost:1',
    'http://[::1]:9/api',
  ])('may be %s', (url) => {
    expect(checkedBaseUrl(url, {}).href).toContain('://');
  });

  it.each([
    'http://venue.example',
    'http://127.0.0.1.example:80',
    'http://localhost.example',
    'ftp://127.0.0.1',
    'venue.example',
    '',
    'https://user:canary-pass@venue.example',
    'http://user:canary-pass@venue.example',
    '//user:canary-pass@venue',
    'https://venue.example/?x=1',
    'https://venue.example/#x',
  ])('may not be %s', (url) => {
    expect(() => checkedBaseUrl(url, {})).toThrow(UsageError);
    expect(() => checkedBaseUrl(url, {})).not.toThrow(/canary/);
  });

  it.each([
    ['localhost:18085', 'localhost:18085'],
    ['user:canary-pass@venue.example', '…@venue.example'],
    ['venue:1?key=canary', 'venue:1'],
    ['https://user:canary?pass@venue.example/', 'https://…@venue.example/'],
    ['http://user:12#canary@venue.example', 'http://…@venue.example'],
    ['user:canary?pass@venue', '…@venue'],
  ])('is shown as it was typed where it has no host, but for what may be secret: %s', (typed, shown) => {
    expect(() => checkedBaseUrl(typed, {})).toThrow(`received "${shown}"`);
  });

  it('is refused while certificates are not verified', () => {
    expect(() => checkedBaseUrl('https://venue.example', { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toThrow(
      /NODE_TLS_REJECT_UNAUTHORIZED must not be 0/,
    );
  });
});
