import {
  createAdaptorServer,
  getRequestListener,
  type HttpBindings,
  type ServerType,
} from '@hono/node-server';
import { UsageError } from '../../model/errors.js';
import { SILENT } from '../../ports/log.js';
import type { CancelTimer, Timers } from '../../ports/clock.js';
import { type Answer, envelopeOf, Refused, statusOf } from './envelope.js';
import { MAX_BODY_BYTES, TOO_LARGE, venueApp, type VenueAppOptions } from './venue-app.js';
import type { VenueHost } from './venue-host.js';

export interface VenueServerOptions extends VenueAppOptions {
  readonly timers: Timers;
  /** 0 takes any free one. */
  readonly port: number;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string | undefined;
}

export interface VenueServer {
  readonly url: string;
  readonly port: number;
  readonly venue: VenueHost;
  /** Stops listening, ends every connection and stops the market. */
  close(): Promise<void>;
}

/** How often the market moves on when nobody asks. */
const TICK_MS = 50;
/** Whole head, whole request, and a quiet connection, ms. The last is longer than any sensible polling interval. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 75_000;
const MALFORMED_HEAD = Refused.because('malformed: the HTTP head must be readable');

type Incoming = HttpBindings['incoming'];
type Outgoing = HttpBindings['outgoing'];
type NodeServer = Extract<ServerType, { maxRequestsPerSocket: number | null }>;
type RawSocket = Incoming['socket'];

/** The simulated venue on a socket. Resolves when it listens; rejects when the address cannot be had. */
export async function startVenueServer(options: VenueServerOptions): Promise<VenueServer> {
  const { timers, port, host = '127.0.0.1', log = SILENT } = options;
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new UsageError('TICKWRIGHT_E_PORT', `a port must be 0 to 65535, received ${port}`);
  }
  const { app, host: venue, headers } = venueApp(options);
  const refuse = (answer: Answer) =>
    new Response(envelopeOf(answer), { status: statusOf(answer), headers: headers() });
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    hostname: host,
    // What cannot become a request at all, e.g. an impossible Host.
    errorHandler: () => refuse(MALFORMED_HEAD),
  });
  const server = createAdaptorServer({
    fetch: (request, env) => app.fetch(request, env),
    serverOptions: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
      noDelay: true,
    },
  }) as NodeServer;

  server.removeAllListeners('request');
  server.on('request', (incoming: Incoming, outgoing: Outgoing) => {
    if (incoming.method === 'GET' || incoming.method === 'HEAD') {
      void listener(incoming, outgoing);
      return;
    }
    collectBody(incoming, (body) => {
      if (body === undefined) {
        answerDirectly(outgoing, TOO_LARGE, headers());
        return;
      }
      (incoming as Incoming & { rawBody?: Buffer }).rawBody = body;
      void listener(incoming, outgoing);
    });
  });
  server.on('checkContinue', (incoming: Incoming, outgoing: Outgoing) => {
    outgoing.writeContinue();
    server.emit('request', incoming, outgoing);
  });
  server.on('checkExpectation', (_incoming: Incoming, outgoing: Outgoing) => {
    answerDirectly(outgoing, MALFORMED_HEAD, headers());
  });
  server.on('connect', (_incoming: Incoming, socket: RawSocket) => {
    answerRaw(socket, headers());
  });
  server.on('clientError', (error: Error & { code?: string }, socket: RawSocket) => {
    log.debug('a venue connection sent no readable request', { code: error.code });
    answerRaw(socket, headers());
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => {
    log.error('the venue server failed', { error });
  });
  const stopTicking = tick(venue, timers);
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    port: taken,
    venue,
    close: () => {
      stopTicking();
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      });
    },
  };
}

/** Moves the market on between requests. */
function tick(venue: VenueHost, timers: Timers): CancelTimer {
  let cancel: CancelTimer = timers.after(TICK_MS, next);
  return () => {
    cancel();
  };

  function next(): void {
    cancel = timers.after(TICK_MS, next);
    venue.catchUp();
  }
}

/**
 * The whole body, or `undefined` as soon as it is longer than allowed. Never calls back when the client goes away
 * before its end: a request that did not arrive whole did not arrive.
 */
function collectBody(incoming: Incoming, then: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  incoming.on('data', (chunk: Buffer) => {
    if (length > MAX_BODY_BYTES) return;
    length += chunk.length;
    if (length > MAX_BODY_BYTES) then(undefined);
    else chunks.push(chunk);
  });
  incoming.once('end', () => {
    if (length <= MAX_BODY_BYTES) then(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  });
  incoming.on('error', () => undefined);
}

function answerDirectly(outgoing: Outgoing, answer: Answer, headers: Record<string, string>): void {
  const body = envelopeOf(answer);
  const length = String(Buffer.byteLength(body));
  outgoing.writeHead(statusOf(answer), { ...headers, 'content-length': length, connection: 'close' });
  outgoing.end(body);
}

/** Where there is no request to answer, only a socket. */
function answerRaw(socket: RawSocket, headers: Record<string, string>): void {
  if (!socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  const body = envelopeOf(MALFORMED_HEAD);
  const head = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.end(`HTTP/1.1 503 Service Unavailable\r\n${head}\r\n${body}`, () => {
    socket.destroy();
  });
}
