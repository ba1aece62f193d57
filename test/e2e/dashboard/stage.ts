/** A control server that says what a test tells it to, with the headers of the real one; the page cannot tell. */
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SECURITY_HEADERS } from '../../../src/daemon/control/guard.js';
import type { CandleRow, DaemonEvent, DaemonStatus } from '../../../src/daemon/daemon-api.js';
import { ROOT } from '../program.js';
import { candleFacts, recentFacts, RUNS, statusFacts } from '../../daemon/dashboard/facts.js';

export interface Script {
  status: DaemonStatus;
  scope: 'read' | 'control';
  /** `undefined`: it does not answer at all. */
  session: 200 | 401 | undefined;
  silentMs: number;
  recent: (kind: string) => readonly DaemonEvent[];
  candles: readonly CandleRow[];
  runs: readonly unknown[];
  /** Whether the stream brings the status each second. */
  isTelling: boolean;
}

export interface Posted {
  readonly path: string;
  readonly token: string | undefined;
  readonly body: unknown;
}

export interface Stage {
  readonly url: string;
  readonly script: Script;
  readonly posted: readonly Posted[];
  /** To every page that listens, once there is one. Resolves when the page's side has room for more. */
  say(message: DaemonEvent | DaemonStatus): Promise<void>;
  /** Ends all streams, as a daemon does that ends. */
  hangUp(): void;
  close(): Promise<void>;
}

const CSRF = 'a-token-of-the-page';
const PAGE: Readonly<Record<string, readonly [string, string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/app.js': ['app.js', 'text/javascript; charset=utf-8'],
  '/app.css': ['app.css', 'text/css; charset=utf-8'],
};

export async function startStage(given: Partial<Script> = {}): Promise<Stage> {
  const script: Script = {
    status: statusFacts(),
    scope: 'control',
    session: 200,
    silentMs: 40,
    recent: recentFacts,
    candles: candleFacts(480),
    runs: RUNS,
    isTelling: true,
    ...given,
  };
  const posted: Posted[] = [];
  const streams = new Set<ServerResponse>();
  const listeners = new EventEmitter();
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const telling = setInterval(() => {
    if (script.isTelling && streams.size > 0) void say(script.status);
  }, 1_000);

  async function say(message: DaemonEvent | DaemonStatus): Promise<void> {
    const text = `data: ${JSON.stringify(message)}\n\n`;
    // A page on a busy machine may lose its stream and come again: what is told meanwhile nobody would hear.
    if (streams.size === 0) await once(listeners, 'one more');
    for (const stream of streams) {
      if (!stream.write(text)) await drained(stream);
    }
  }

  /** Or it is closed: then nobody has to read it. */
  function drained(stream: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const over = () => {
        stream.off('drain', over).off('close', over);
        resolve();
      };
      if (stream.destroyed) resolve();
      else stream.on('drain', over).on('close', over);
    });
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://stage');
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) outgoing.setHeader(name, value);
    const json = (value: unknown, status = 200) => {
      outgoing.writeHead(status, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify(value));
    };
    const file = PAGE[pathname];
    if (file !== undefined) {
      const [name, type] = file;
      const bytes = await readFile(join(ROOT, 'dist', 'daemon', 'dashboard', name));
      outgoing.setHeader('content-type', type);
      outgoing.end(bytes);
      return;
    }
    if (script.session === undefined) {
      incoming.socket.destroy();
      return;
    }
    if (script.session === 401) {
      json({ error: 'a token is needed: tickwright open prints a link' }, 401);
      return;
    }
    if (incoming.method === 'POST') {
      let text = '';
      for await (const part of incoming.setEncoding('utf8')) text += String(part);
      const token = incoming.headers['x-control-token'];
      posted.push({
        path: pathname,
        token: typeof token === 'string' ? token : undefined,
        body: JSON.parse(text),
      });
      if (token === CSRF) json({ done: true });
      else json({ error: 'the X-Control-Token must be that of the page' }, 403);
      return;
    }
    switch (pathname) {
      case '/api/session':
        json({ scope: script.scope, ...(script.scope === 'control' ? { csrf: CSRF } : {}) });
        return;
      case '/healthz':
        json({ alive: script.silentMs < 2_000, silentMs: script.silentMs });
        return;
      case '/api/status':
        json(script.status);
        return;
      case '/api/recent':
        json(script.recent(searchParams.get('kind') ?? ''));
        return;
      case '/api/candles':
        json(script.candles.slice(-Number(searchParams.get('n') ?? 100)));
        return;
      case '/api/runs':
        json(script.runs);
        return;
      case '/api/events':
        outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
        outgoing.write(`data: ${JSON.stringify(script.status)}\n\n`);
        streams.add(outgoing);
        listeners.emit('one more');
        outgoing.on('close', () => streams.delete(outgoing));
        return;
      default:
        json({ error: 'there is nothing here' }, 404);
    }
  }

  return {
    url: `http://127.0.0.1:${port}`,
    script,
    posted,
    say,
    hangUp() {
      for (const stream of streams) stream.destroy();
    },
    async close() {
      clearInterval(telling);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
