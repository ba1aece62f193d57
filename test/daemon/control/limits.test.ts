/** Too much, too slow, too many: bounded, and nobody else waits for it. */
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ask,
  bearer,
  CONTROL,
  hold,
  JSON_TYPE,
  openSurface,
  raw,
  READ,
  STATUS,
  type Surface,
} from './fixture.js';

/** Soon, and long enough for those who are not slow themselves on a machine that is. */
const FAST = {
  headersTimeout: 2_000,
  requestTimeout: 4_000,
  keepAliveTimeout: 2_000,
  connectionsCheckingInterval: 50,
};
let surface: Surface;
const held: Socket[] = [];

beforeEach(async () => {
  surface = await openSurface({ limits: FAST });
});
afterEach(async () => {
  for (const socket of held.splice(0)) socket.destroy();
  await surface.close();
});

const head = (token: string) =>
  `Host: 127.0.0.1:${surface.port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    // It may have been closed while others were opened.
    if (socket.closed) resolve();
    socket.resume();
    socket.once('error', () => undefined);
    socket.once('close', () => resolve());
  });
async function holding(bytes: string): Promise<Socket> {
  const socket = await hold(surface.port, bytes);
  held.push(socket);
  return socket;
}

describe('a body', () => {
  const big = JSON.stringify({ reason: 'x'.repeat(70_000) });

  it('of more than 64 KiB is refused by its length', async () => {
    const { status } = await ask(surface, {
      method: 'POST',
      path: '/api/pause',
      headers: { ...JSON_TYPE, ...bearer(CONTROL) },
      body: big,
    });
    expect(status).toBe(413);
    expect(surface.asked).toEqual([]);
  });

  it('of more than 64 KiB in chunks is refused although it says no length', async () => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const { status } = await raw(surface.port, [
      `POST /api/pause HTTP/1.1\r\n${head(CONTROL)}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ...Array.from({ length: 5 }, () => chunk),
      '0\r\n\r\n',
    ]);
    expect(status).toBe(413);
    expect(surface.asked).toEqual([]);
  });

  it('of somebody without a token is not read at all', async () => {
    const { status } = await raw(
      surface.port,
      `POST /api/pause HTTP/1.1\r\n${head('w'.repeat(43))}Connection: close\r\nContent-Length: 1000000000\r\n\r\n`,
    );
    expect(status).toBe(401);
  });

  it('that never comes ends the connection, and nothing is done', async () => {
    const socket = await holding(
      `POST /api/pause HTTP/1.1\r\n${head(CONTROL)}Content-Length: 100\r\n\r\n{"reason":`,
    );
    await closed(socket);
    expect(surface.asked).toEqual([]);
  });
});

describe('headers', () => {
  it('of more than 8 KiB are refused', async () => {
    const { status } = await ask(surface, { headers: { ...bearer(READ), 'x-a': 'x'.repeat(9_000) } });
    expect(status).toBe(431);
  });

  it('without number are refused', async () => {
    const flood = Array.from({ length: 2_000 }, (_, n) => `x-${n}: y\r\n`).join('');
    const { status } = await raw(surface.port, `GET /api/status HTTP/1.1\r\n${head(READ)}${flood}\r\n`);
    expect(status).toBe(431);
  });

  it('that never end (slowloris) end the connection, also of as many as may connect', async () => {
    const sockets: Socket[] = [];
    for (let n = 0; n < 64; n++) sockets.push(await holding('GET /api/status HTTP/1.1\r\nHost: 12'));
    await Promise.all(sockets.map(closed));
    expect((await ask(surface, { headers: bearer(READ) })).status).toBe(200);
  });
});

describe('connections', () => {
  it('beyond the 64th are closed, and the Unix socket answers all the same', async () => {
    for (let n = 0; n < 64; n++) await holding('');
    const more = await holding('GET /healthz HTTP/1.1\r\n');
    await closed(more);
    const { askSocket } = await import('../../../src/platform/socket-request.js');
    const answer = await askSocket({
      socket: surface.socket,
      method: 'GET',
      path: '/api/status',
      timeoutMs: 20_000,
    });
    expect(answer?.status).toBe(200);
  });
});

describe('listeners to events', () => {
  const request = () => `GET /api/events HTTP/1.1\r\n${head(READ)}\r\n`;
  const first = (socket: Socket) =>
    new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (part: Buffer) => {
        text += part.toString();
        // A refusal is no stream.
        if (text.includes('\n\n') || /^HTTP\/1\.1 [45]/.test(text)) resolve(text);
      });
    });
  const tell = (text: string) =>
    surface.remote.take({ kind: 'event', event: { kind: 'log', time: 1, level: 'info', text } });

  it('hear the status first, and then what happens', async () => {
    const socket = await holding(request());
    const text = await first(socket);
    expect(text).toContain('content-type: text/event-stream');
    expect(text).toContain(`data: ${JSON.stringify(STATUS)}`);
    const heard = first(socket);
    tell('hello');
    expect(await heard).toContain('"text":"hello"');
  });

  it('are at most eight; who goes makes room', async () => {
    const sockets: Socket[] = [];
    for (let n = 0; n < 8; n++) {
      const socket = await holding(request());
      await first(socket);
      sockets.push(socket);
    }
    const path = '/api/events';
    expect((await ask(surface, { path, headers: bearer(READ) })).status).toBe(429);
    sockets[0]?.destroy();
    await expect
      .poll(async () => {
        const socket = await holding(request());
        const text = await first(socket);
        return text.includes('200 OK');
      })
      .toBe(true);
  });

  it('are not those who ask for the head alone, however often', async () => {
    const path = '/api/events';
    for (let n = 0; n < 10; n++) {
      const answer = await ask(surface, { method: 'HEAD', path, headers: bearer(READ) });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain('text/event-stream');
    }
    expect(await first(await holding(request()))).toContain('200 OK');
  });

  it('that do not read are dropped, and make room too', async () => {
    const sockets: Socket[] = [];
    for (let n = 0; n < 8; n++) {
      const socket = await holding(request());
      await first(socket);
      socket.pause();
      sockets.push(socket);
    }
    const ends = sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.once('error', () => undefined);
          socket.once('close', () => resolve());
        }),
    );
    // The kernel takes some megabytes for each before anything waits here.
    const text = 'x'.repeat(100_000);
    for (let n = 0; n < 200; n++) {
      tell(text);
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const socket of sockets) socket.resume();
    await Promise.all(ends);
    const socket = await holding(request());
    expect(await first(socket)).toContain('200 OK');
  });
});
