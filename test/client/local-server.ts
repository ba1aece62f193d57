import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Timers } from '../../src/ports/clock.js';
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net';

/** A server on loopback whose connections die with it. */
export interface LocalServer {
  readonly url: string;
  readonly connections: readonly Socket[];
  close(): Promise<void>;
}

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly connection: Socket;
}

export type Reply = (request: SeenRequest, response: ServerResponse) => void;

/** HTTP: every request is read to its end, kept in `seen`, then answered by `reply`. */
export async function httpServer(reply: Reply): Promise<LocalServer & { readonly seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        connection: incoming.socket,
      };
      seen.push(request);
      reply(request, response);
    });
  });
  return { ...(await listening(server)), seen };
}

/** TCP, for what no HTTP server would do. */
export function tcpServer(onConnection: (socket: Socket) => void): Promise<LocalServer> {
  return listening(createNetServer(onConnection));
}

/** Below those that a system hands out: no other test may have it meanwhile, for a server or for a connection. */
const LOWEST_PORT = 10_000;
const PORTS = 20_000;

/** An address where nobody listens. */
export async function closedPort(): Promise<string> {
  for (;;) {
    const port = LOWEST_PORT + Math.floor(PORTS * Math.random());
    const server = createNetServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return `http://127.0.0.1:${port}`;
  }
}

/** Resolves when `condition` holds; looks again at each turn of the event loop. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** Timers whose every wait is over when `condition` holds, however long or short it was to be. */
export function timersUpWhen(condition: () => boolean): Timers {
  const after = (_ms: number, task: () => void) => {
    let canceled = false;
    void until(() => canceled || condition()).then(() => {
      if (!canceled) task();
    });
    return () => {
      canceled = true;
    };
  };
  return { after, soon: (task) => after(0, task) };
}

async function listening(server: Server): Promise<LocalServer> {
  const connections: Socket[] = [];
  server.on('connection', (socket) => {
    connections.push(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    async close() {
      for (const socket of connections) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
