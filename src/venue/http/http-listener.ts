import { createServer, type IncomingMessage as Incoming, type ServerResponse as Outgoing } from 'node:http';
import { UsageError } from '../../model/errors.js';
import type { Log } from '../../ports/log.js';
import { type Answer, envelopeOf, Refused, statusOf } from './envelope.js';
import { LastAnswers } from './last-answer.js';
import { MAX_BODY_BYTES, TOO_LARGE } from './request-fields.js';
import { type Handle, NO_BODY, splitTarget, type WireAnswer, type WireRequest } from './wire.js';

export type { ServerResponse as Outgoing } from 'node:http';

export interface ListenerOptions {
  readonly handle: Handle;
  /** Handles a request in place of `handle` and `send`; it may leave it unanswered. */
  readonly deliver?: ((request: WireRequest, outgoing: Outgoing) => void) | undefined;
  /** The headers of answers to bytes that never became a request. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** The port to listen on; 0 takes any free one. */
  readonly port: number;
  /** Address to listen on. */
  readonly host: string;
  readonly log: Log;
}

export interface Listener {
  readonly url: string;
  readonly port: number;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

/**
 * Time limits for the head, the whole request and an idle connection, ms. The last exceeds any sensible polling
 * interval.
 */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 75_000;
const MALFORMED_HEAD = Refused.because('malformed: the HTTP head must be readable');
/** RFC 3986: the characters of a host and its port. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/** Serves requests from sockets. Resolves once it listens; rejects if the address is not available. */
export async function listen({
  handle,
  deliver,
  headers,
  port,
  host,
  log,
}: ListenerOptions): Promise<Listener> {
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new UsageError('TICKWRIGHT_E_PORT', `a port must be 0 to 65535, received ${port}`);
  }
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
    noDelay: true,
  });
  const lastAnswers = new LastAnswers();
  server.on('request', (incoming: Incoming, outgoing: Outgoing) => {
    if (!lastAnswers.begin(incoming, outgoing)) return;
    // Node drops what it has read behind a request for a protocol upgrade, so no other request may follow on this
    // connection.
    if (incoming.headers.upgrade !== undefined) outgoing.shouldKeepAlive = false;
    receive(incoming, (request) => {
      if (request instanceof Refused) {
        lastAnswers.decide(incoming);
        sendLast(outgoing, request, headers());
      } else if (deliver !== undefined) deliver(request, outgoing);
      else send(outgoing, handle(request));
    });
  });
  server.on('checkContinue', (incoming: Incoming, outgoing: Outgoing) => {
    outgoing.writeContinue();
    server.emit('request', incoming, outgoing);
  });
  server.on('checkExpectation', (incoming: Incoming, outgoing: Outgoing) => {
    if (!lastAnswers.begin(incoming, outgoing)) return;
    lastAnswers.decide(incoming);
    sendLast(outgoing, MALFORMED_HEAD, headers());
  });
  server.on('connect', (_incoming: Incoming, socket: Incoming['socket']) => {
    lastAnswers.give(socket, malformedHead(headers()));
  });
  server.on('clientError', (error: Error & { code?: string }, socket: Incoming['socket']) => {
    log.debug('a connection sent no readable request', { code: error.code });
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') lastAnswers.timeOut(socket, malformedHead(headers()));
    else lastAnswers.give(socket, malformedHead(headers()));
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => {
    log.error('the server failed', { error });
  });
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    port: taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Passes on a request once it is complete. Never calls back for one that did not arrive in whole. */
function receive(incoming: Incoming, then: (request: WireRequest | Refused) => void): void {
  const { method = '', url = '', headers } = incoming;
  if (!HOST.test(headers.host ?? '')) {
    then(MALFORMED_HEAD);
    return;
  }
  const whole = (body: Uint8Array) => {
    then({ method, ...splitTarget(url), headers, body });
  };
  if (method === 'GET' || method === 'HEAD') whole(NO_BODY);
  else {
    collectBody(incoming, (body) => {
      if (body === undefined) then(TOO_LARGE);
      else whole(body);
    });
  }
}

/**
 * Collects the body; `undefined` as soon as it exceeds the limit. Never calls back if the client disconnects before its
 * end, because such a request counts as not arrived.
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

export function send(outgoing: Outgoing, { status, body, headers }: WireAnswer): void {
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  outgoing.end(body);
}

/** Sends the last answer of a connection, from which nothing more is read. */
function sendLast(outgoing: Outgoing, answer: Answer, headers: Readonly<Record<string, string>>): void {
  const body = envelopeOf(answer);
  send(outgoing, { status: statusOf(answer), body, headers: { ...headers, connection: 'close' } });
}

/** The bytes of a refusal for a socket that delivered no readable request. */
function malformedHead(headers: Readonly<Record<string, string>>): string {
  const body = envelopeOf(MALFORMED_HEAD);
  const head = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return `HTTP/1.1 503 Service Unavailable\r\n${head}\r\n${body}`;
}
