import type { AlertSeverity } from '../../config/alert-schema.js';
import type { Alert } from './alert.js';

/** An alert as it is sent: clean text, no secret in it. */
export interface Notice {
  readonly kind: Alert['kind'];
  readonly severity: AlertSeverity;
  readonly phase: Alert['phase'];
  readonly title: string;
  readonly lines: readonly string[];
  /** Epoch ms. */
  readonly time: number;
  /** The daemon that sends the notice: `live my-bot`. */
  readonly source: string;
}

/** `refused`: sending the notice again would not help. */
export type Delivery =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number | undefined };

/** One way to reach a person. Never rejects. */
export interface Notifier {
  /** For people, no other receiver has it: the kind, without its address. */
  readonly name: string;
  send(notice: Notice): Promise<Delivery>;
  close(): Promise<void>;
}
