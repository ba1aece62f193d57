import { Pool } from 'undici';
import type { Clock, Timers } from '../ports/clock.js';
import { HttpFailure, type HttpRequest, type HttpResponse, type HttpTransport } from '../ports/http.js';
import { checkedBaseUrl, type TlsEnvironment } from './base-url.js';
import { HttpExchange } from './http-exchange.js';
import { OrderLane } from './order-lane.js';

export interface UndiciTransportOptions {
  /** The one host this transport talks to. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly environment: TlsEnvironment;
  /** Kept-alive connections for reads. Default 2. */
  readonly pollConnections?: number;
  /** Connections opened ahead after each order request. Default 2. */
  readonly spareConnections?: number;
  /** Default 3 s. */
  readonly spareMaxAgeMs?: number;
  /** Default 3 s; never longer than a request's deadline. */
  readonly connectTimeoutMs?: number;
}

const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Below the idle limits that servers are seen with (Node: 5 s), so that we close first. */
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
      const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
      if (url?.origin !== origin.origin) {
        return Promise.reject(
          new HttpFailure(
            'other',
            false,
            `requests must go to ${origin.origin}, received ${url?.origin ?? 'no URL'}`,
          ),
        );
      }
      return send(request, `${url.pathname}${url.search}`);
    },
    async close() {
      orders.close();
      await reads.destroy();
    },
  };

  async function send(request: HttpRequest, path: string): Promise<HttpResponse> {
    const exchange = new HttpExchange(request, timers);
    if (request.lane === 'order') {
      const [response] = await Promise.all([exchange.response, orders.send(exchange, request, path)]);
      return response;
    }
    const { method, headers, body } = request;
    if (exchange.settled) return exchange.response;
    try {
      reads.dispatch({ path, method, headers, ...(body === undefined ? {} : { body }) }, exchange);
    } catch (error) {
      exchange.failedToStart(error as Error);
    }
    return exchange.response;
  }
}
