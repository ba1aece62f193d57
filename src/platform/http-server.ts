import { chmod, lstat, mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { UsageError } from '../model/errors.js';

export type RequestHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

export interface HttpServer {
  /** The port taken; `undefined` for a Unix socket. */
  readonly port: number | undefined;
  close(): Promise<void>;
}

/** A slow or endless request holds nobody up, ms. */
export interface ServerLimits {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
}

const LIMITS: ServerLimits = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
};
const MOST_CONNECTIONS = 64;
const MOST_HEADER_BYTES = 8_192;
const MOST_HEADERS = 64;
const OWNER_ONLY = 0o600;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Rejects when the address cannot be had. @throws UsageError for a host that others can reach */
export async function serveLoopback(
  handler: RequestHandler,
  { host, port }: { readonly host: string; readonly port: number },
  limits: ServerLimits = LIMITS,
): Promise<HttpServer> {
  if (!LOOPBACK.has(host)) {
    throw new UsageError(
      'TICKWRIGHT_E_CONTROL',
      `a control surface must listen on this machine only, received ${JSON.stringify(host)}`,
    );
  }
  const server = serverOf(handler, limits);
  await listening(server, () => server.listen(port, host));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => closed(server),
  };
}

/**
 * On a Unix socket that only this user may open, from its first moment on: it is made in a private folder and moved to
 * its place. What a dead process left there is replaced.
 *
 * @throws UsageError for a path at which there is something else than a socket: that is nobody's to take away
 */
export async function serveSocket(handler: RequestHandler, path: string): Promise<HttpServer> {
  const there = await lstat(path).catch(() => undefined);
  if (there !== undefined && !there.isSocket()) {
    throw new UsageError(
      'TICKWRIGHT_E_CONTROL',
      `${path} must be a socket or nothing, received something else: remove it`,
    );
  }
  const server = serverOf(handler, LIMITS);
  try {
    await beBorn(server, path);
  } catch (error) {
    await closed(server);
    throw error;
  }
  return {
    port: undefined,
    async close() {
      await closed(server);
      await rm(path, { force: true });
    },
  };
}

async function beBorn(server: Server, path: string): Promise<void> {
  let nursery: string;
  try {
    // As long as `control.sock`: what fits there fits here.
    nursery = await mkdtemp(join(dirname(path), '.c'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    // Without room for a folder the one around it, which is private too, must do.
    await rm(path, { force: true });
    await listening(server, () => server.listen(path));
    await chmod(path, OWNER_ONLY);
    return;
  }
  try {
    const born = join(nursery, 's');
    await listening(server, () => server.listen(born));
    await chmod(born, OWNER_ONLY);
    await rename(born, path);
  } finally {
    await rm(nursery, { recursive: true, force: true });
  }
}

function serverOf(handler: RequestHandler, limits: ServerLimits): Server {
  const server = createServer({ ...limits, maxHeaderSize: MOST_HEADER_BYTES }, (incoming, outgoing) => {
    void handler(incoming, outgoing);
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.maxHeadersCount = MOST_HEADERS;
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
