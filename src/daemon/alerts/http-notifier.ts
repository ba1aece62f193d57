import type { AlertReceiver } from '../../config/alert-schema.js';
import { HttpFailure, type HttpHead, type HttpTransport } from '../../ports/http.js';
import { type Address, type Post, postOf } from './formats.js';
import type { Delivery, Notifier } from './notifier.js';

export interface HttpNotifierOptions {
  /** As that of `Notifier`. */
  readonly name: string;
  readonly to: AlertReceiver;
  readonly address: Address;
  /** Connects only to the host of the address. */
  readonly transport: HttpTransport;
}

const DEADLINE_MS = 10_000;
const LONGEST_WAIT_MS = 3_600_000;
const RETRIED = [408, 425, 429];

/** Sends one JSON document by POST. Its reports of failures contain neither the address nor a token. */
export function httpNotifier({ name, to, address, transport }: HttpNotifierOptions): Notifier {
  return {
    name,
    async send(notice): Promise<Delivery> {
      let post: Post;
      try {
        post = postOf(to, address, notice);
      } catch {
        // The error may name the address, which may be a token.
        return { kind: 'refused', reason: 'no message can be made for its address' };
      }
      try {
        return deliveryOf(await transport.exchange({ method: 'POST', ...post, deadlineMs: DEADLINE_MS }));
      } catch (error) {
        // The status tells whether it was taken. To send it again for the sake of a body that nobody reads would tell it twice.
        if (error instanceof HttpFailure && error.head !== undefined) return deliveryOf(error.head);
        return { kind: 'failed', reason: silenceOf(error), retryAfterMs: undefined };
      }
    },
    close: () => transport.close(),
  };
}

/** Describes the error without its message, because that names the path, which may be a token. */
function silenceOf(error: unknown): string {
  if (!(error instanceof HttpFailure)) return 'no answer';
  return `no answer: ${error.reason}${error.detail === undefined ? '' : ` (${error.detail})`}`;
}

function deliveryOf({ status, headers }: HttpHead): Delivery {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const reason = `it answers with status ${status}`;
  if (status < 500 && !RETRIED.includes(status)) return { kind: 'refused', reason };
  return { kind: 'failed', reason, retryAfterMs: retryAfter(headers['retry-after']) };
}

/** Only seconds are read: a date would have to be compared with our clock, which may be wrong. */
function retryAfter(text: string | undefined): number | undefined {
  const seconds = Number(text);
  if (text === undefined || text === '' || !(seconds >= 0)) return undefined;
  return Math.min(Math.ceil(seconds * 1_000), LONGEST_WAIT_MS);
}
