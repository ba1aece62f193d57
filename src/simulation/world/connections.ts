import { HttpFailure, type HttpRequest, type HttpResponse, type HttpTransport } from '../../ports/http.js';
import { type Carrier, Exchange, type NetworkUser } from './exchange.js';

/**
 * The connections of one process. Their number is limited for requests on the lane `poll`, which wait for a free one.
 */
export class Connections implements HttpTransport {
  readonly #network: Carrier;
  readonly #user: NetworkUser;
  readonly #most: number;
  readonly #open = new Set<Exchange>();
  readonly #queue: Exchange[] = [];
  #polls = 0;
  #isClosed = false;

  constructor(network: Carrier, user: NetworkUser, most: number) {
    this.#network = network;
    this.#user = user;
    this.#most = most;
  }

  exchange(request: HttpRequest): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      if (!this.#user.isAlive) return;
      const { origin } = this.#network;
      const fails = (reason: HttpFailure['reason'], message: string) => {
        reject(new HttpFailure(reason, false, message));
      };
      const { method, url } = request;
      if (!url.startsWith(`${origin}/`)) {
        fails(
          'other',
          `requests must go to ${origin}, received ${URL.canParse(url) ? new URL(url).origin : 'no URL'}`,
        );
      } else if (this.#isClosed) {
        fails('refused', `${method} ${new URL(url).pathname}: no connection (closed)`);
      } else if (request.signal?.aborted === true) {
        fails('aborted', `${method} ${new URL(url).pathname}: the request was given up`);
      } else {
        const exchange = new Exchange(this.#network, this.#user, request, {
          resolve,
          reject,
          done: () => {
            this.#done(exchange);
          },
        });
        this.#begin(exchange);
      }
    });
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#queue.length = 0;
    for (const exchange of this.#open) exchange.destroy();
    return Promise.resolve();
  }

  #begin(exchange: Exchange): void {
    this.#open.add(exchange);
    if (exchange.isPoll && (this.#polls >= this.#most || this.#queue.length > 0)) {
      this.#queue.push(exchange);
      exchange.mayWaitInVain();
      return;
    }
    if (exchange.isPoll) this.#polls += 1;
    exchange.leave();
  }

  /** Frees the connection, or replaces it by a new one. */
  #done(exchange: Exchange): void {
    this.#open.delete(exchange);
    const waits = this.#queue.indexOf(exchange);
    if (waits >= 0) {
      this.#queue.splice(waits, 1);
      return;
    }
    if (!exchange.isPoll) return;
    this.#polls -= 1;
    if (this.#queue.length === 0) return;
    const { scheduler } = this.#network;
    // First lets everything happen that follows from the answer that has just arrived.
    scheduler.quietly(scheduler.now, () => {
      this.#user.whenReady(0, () => this.#leaveNext());
    });
  }

  #leaveNext(): void {
    if (this.#polls >= this.#most) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.#polls += 1;
    next.leave();
  }
}
