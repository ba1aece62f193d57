/** The control surface on real sockets, with an engine that answers at once and remembers what it was asked. */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Access } from '../../../src/daemon/control/access.js';
import { type Asset, controlApp } from '../../../src/daemon/control/control-app.js';
import { Heartbeat } from '../../../src/daemon/control/heartbeat.js';
import type { ToEngine } from '../../../src/daemon/control/messages.js';
import { RemoteDaemon } from '../../../src/daemon/control/remote-daemon.js';
import type { DaemonStatus } from '../../../src/daemon/daemon-api.js';
import {
  type HttpServer,
  type ServerLimits,
  serveLoopback,
  serveSocket,
} from '../../../src/platform/http-server.js';

export const READ = 'r'.repeat(43);
export const CONTROL = 'c'.repeat(43);
/** What nobody without a token may ever see. */
export const CANARY = 'canary-of-the-engine';

export const STATUS = {
  schemaVersion: 1,
  state: 'running',
  mode: 'live',
  pid: 7,
  version: '0.1.0',
  venue: CANARY,
  uptimeMs: 1,
  pairs: [],
  pnl: {},
  budget: { perSecond: 1 },
  clock: undefined,
  halted: undefined,
  suspense: [],
  memory: { rssBytes: 1, heapBytes: 1, ceilingBytes: 2 },
  loopLag: { p99Ms: 0, maxMs: 0 },
  problems: [],
} satisfies DaemonStatus;

export interface Surface {
  readonly port: number;
  readonly socket: string;
  readonly access: Access;
  readonly remote: RemoteDaemon;
  /** What the engine was asked to do, besides saying how it is. */
  readonly asked: { readonly method: string; readonly args: readonly unknown[] }[];
  /** How often the engine was asked how it is. */
  readonly statusCalls: number;
  readonly problems: string[];
  /** Monotonic ms of the surface. */
  readonly clock: { now: number };
  /** What the engine answers with. */
  status: DaemonStatus;
  silent: boolean;
  close(): Promise<void>;
}

export interface SurfaceOptions {
  readonly assets?: ReadonlyMap<string, Asset> | undefined;
  readonly limits?: ServerLimits;
  /** The port in its names; default: the one that it listens on. */
  readonly namedPort?: number;
  readonly run?: (id: string) => Promise<unknown>;
}

export async function openSurface(options: SurfaceOptions = {}): Promise<Surface> {
  const folder = await mkdtemp(join(tmpdir(), 'tickwright-control-'));
  const asked: Surface['asked'] = [];
  const problems: string[] = [];
  let statusCalls = 0;
  let randoms = 0;
  const clock = { now: 0 };
  const remote: RemoteDaemon = new RemoteDaemon({
    post: (message) => answer(message),
    heartbeat: new Heartbeat(() => clock.now),
    after: (ms, task) => {
      const timer = setTimeout(task, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
    now: () => clock.now,
  });
  const answer = (message: ToEngine) => {
    if (message.kind !== 'call') return;
    const { method, args } = message.call;
    if (method === 'status') statusCalls++;
    if (surface.silent) return;
    if (method !== 'status') asked.push({ method, args });
    const value = method === 'status' ? surface.status : method === 'recent' ? [] : { done: 'done' };
    remote.take({ kind: 'result', id: message.id, value });
  };
  const access = new Access({
    readToken: READ,
    controlToken: CONTROL,
    random: () => `random-${String(randoms++)}`.padEnd(43, 'x'),
    now: () => clock.now,
    onGuessing: (wrong) => problems.push(`guessing ${wrong}`),
  });
  let hosts: readonly string[] = [];
  const app = (door: 'socket' | 'http') =>
    controlApp({
      daemon: remote,
      access,
      door,
      hosts: () => hosts,
      shut: () => undefined,
      assets: options.assets,
      runs: () => Promise.resolve([]),
      run: options.run ?? (() => Promise.resolve(undefined)),
      after: () => () => undefined,
      onProblem: (text) => problems.push(text),
    });
  const listener = (door: 'socket' | 'http') =>
    getRequestListener(app(door).fetch, { overrideGlobalObjects: false });
  const http = await serveLoopback(listener('http'), { host: '127.0.0.1', port: 0 }, options.limits);
  const port = http.port as number;
  hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${options.namedPort ?? port}`);
  const socket = join(folder, 'control.sock');
  const servers: HttpServer[] = [http, await serveSocket(listener('socket'), socket)];
  const surface: Surface = {
    port,
    socket,
    access,
    remote,
    asked,
    get statusCalls() {
      return statusCalls;
    },
    problems,
    clock,
    status: STATUS,
    silent: false,
    async close() {
      for (const server of servers) await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return surface;
}

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly raw: string;
}

/** Sends bytes as they are, and reads until the other side closes or has answered. */
export function raw(port: number, bytes: string | readonly string[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // What is refused may be cut off while it is still being sent.
      if (['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) resolve(parsed(text));
      else reject(error);
    });
    socket.once('close', () => resolve(parsed(text)));
    socket.once('connect', () => {
      for (const part of typeof bytes === 'string' ? [bytes] : bytes) socket.write(part);
    });
  });
}

export interface Ask {
  readonly method?: string;
  readonly path?: string;
  /** `undefined` leaves one out that is sent otherwise. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** One request as a well-behaved program sends it, unless told otherwise. */
export function ask(
  surface: Pick<Surface, 'port'>,
  { method = 'GET', path = '/api/status', headers = {}, body }: Ask,
): Promise<Answer> {
  const all: Record<string, string | undefined> = {
    host: `127.0.0.1:${surface.port}`,
    connection: 'close',
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return raw(surface.port, `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/** A connection that says something and then stays. */
export function hold(port: number, bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
export const JSON_TYPE = { 'content-type': 'application/json' };

function parsed(text: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
    }),
  );
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n'), raw: text };
}
