import type { Need } from './need.js';

/** The suite's accounts. Each has 100 000 USD on the suite's own venue. */
export type Customer = 'anna' | 'bert' | 'cleo';

export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/** An answer, its envelope taken apart. */
export interface Reply {
  readonly status: number;
  readonly code: unknown;
  readonly msg: unknown;
  readonly result: unknown;
}

/** A request as it is to go over the wire, byte by byte. */
export interface RawRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface RawReply extends Reply {
  /** The parsed body as it came. */
  readonly envelope: unknown;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One way to a venue. What it cannot do it says with `CannotDo`. */
export interface Door {
  readonly name: string;
  /** What it has besides public reads, and why it has not the rest. */
  readonly lacks: (need: Need) => string | undefined;
  get(path: string, query: Fields, who: Customer | undefined): Promise<Reply>;
  /** Signed, as far as the path asks for it. */
  post(path: string, fields: Fields, who: Customer): Promise<Reply>;
  send(request: RawRequest): Promise<RawReply>;
  credentials(who: Customer): { readonly key: string; readonly secret: string };
  /** At the admin door. */
  admin(path: string, fields: Fields): Promise<Reply>;
  /** Venue time, ms. */
  now(): number;
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}
