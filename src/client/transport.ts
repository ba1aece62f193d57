import { Pool } from 'undici';
import type { Clock, Timers } from '../ports/clock.js';
import { HttpFailure, type HttpRequest, type HttpResponse, type HttpTransport } from '../ports/http.js';
import { checkedBaseUrl, type TlsEnvironment } from './base-url.js';
import { dispatchHandler, HttpExchange } from './http-exchange.js';
import { OrderLane } from './order-lane.js';

export interface UndiciTransportOptions {
  /** The one host this transport talks to. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly environment: TlsEnvironment;
  /** Kept-alive connections for reads. Default 2. */
  readonly pollConnections?: number;
  /** Connections opened ahead: after each order request, and all the time while orders are expected. Default 2. */
  readonly spareConnections?: number;
  /** Default 3 s. */
  readonly spareMaxAgeMs?: number;
  /** Default 3 s; never longer than a request's deadline. */
  readonly connectTimeoutMs?: number;
}

const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Below the idle limits of known servers (Node: 5 s), so that we close an idle connection before the server does. */
const IDLE_MS = 4_000;

/**
 * HTTP on undici, on connections of our own. No redirects, no retries, no proxies, no global dispatcher; undici's
 * timeouts watch gaps only and are off, because the deadline of the whole exchange is ours.
 *
 * @throws UsageError when the address is not https (or loopback), or certificates would not be verified.
 */
export function undiciTransport(options: UndiciTransportOptions): HttpTransport {
  const { clock, timers } = options;
  const base = checkedBaseUrl(options.baseUrl, options.environment);
  const origin = new URL(base.origin);
  const connectTimeoutMs = options.connectTimeoutMs ?? 3_000;
  const reads = new Pool(origin, {
    connections: options.pollConnections ?? 2,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
    allowH2: false,
    connect: { timeout: connectTimeoutMs },
  });
  const orders = new OrderLane({
    origin,
    clock,
    timers,
    spares: options.spareConnections ?? 2,
    maxAgeMs: options.spareMaxAgeMs ?? 3_000,
    connectTimeoutMs,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  });

  return {
    exchange(request) {
      const path = pathBelow(origin.origin, request.url);
      if (path !== undefined) return send(request, path);
      const wanted = URL.canParse(request.url) ? new URL(request.url).origin : 'no URL';
      return Promise.reject(
        new HttpFailure('other', false, `requests must go to ${origin.origin}, received ${wanted}`),
      );
    },
    expectOrders: (expected) => orders.expect(expected),
    async close() {
      orders.close();
      await reads.destroy();
    },
  };

  function send(request: HttpRequest, path: string): Promise<HttpResponse> {
    const exchange = new HttpExchange(request, timers);
    if (request.lane === 'order') orders.send(exchange, request, path);
    else if (!exchange.settled) {
      const { method, headers, body } = request;
      try {
        const wanted = { path, method, headers, ...(body === undefined ? {} : { body }) };
        reads.dispatch(wanted, dispatchHandler(exchange));
      } catch (error) {
        exchange.failed(error as Error);
      }
    }
    exchange.limit();
    return exchange.response;
  }
}

/** Path and query of an address at this origin; an address elsewhere has none. */
function pathBelow(origin: string, address: string): string | undefined {
  // The usual spelling, without parsing, which costs as much as signing.
  if (address.startsWith(`${origin}/`)) return address.slice(origin.length);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.origin === origin ? `${url.pathname}${url.search}` : undefined;
}
