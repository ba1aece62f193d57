import { chmodSync, existsSync, unlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export type RequestHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export interface HttpServer {
  /** The port taken; `undefined` for a Unix socket. */
  readonly port: number | undefined;
  close(): Promise<void>;
}

/** A slow or endless request holds nobody up, ms and connections. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
} as const;
const MOST_CONNECTIONS = 64;
const MOST_HEADER_BYTES = 8_192;
const OWNER_ONLY = 0o600;

/** On loopback. Rejects when the address cannot be had. */
export async function serveLoopback(
  handler: RequestHandler,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HttpServer> {
  const server = serverOf(handler);
  await listening(server, () => server.listen(port, host));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => closed(server),
  };
}

/** On a Unix socket that only this user may open. One that a dead process left behind is taken away. */
export async function serveSocket(handler: RequestHandler, path: string): Promise<HttpServer> {
  if (existsSync(path)) unlinkSync(path);
  const server = serverOf(handler);
  await listening(server, () => server.listen(path));
  chmodSync(path, OWNER_ONLY);
  return {
    port: undefined,
    async close() {
      await closed(server);
      if (existsSync(path)) unlinkSync(path);
    },
  };
}

function serverOf(handler: RequestHandler): Server {
  const server = createServer({ ...LIMITS, maxHeaderSize: MOST_HEADER_BYTES }, handler);
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

function listening(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
    listen();
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
