/** One HTTP request. Nothing behind this port retries, follows redirects or reads proxy settings. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent exactly as it stands. */
  readonly body?: string;
  /** For the whole exchange, connect to last body byte; ms. */
  readonly deadlineMs: number;
  /** `order`: a connection that carried no request yet (reliability, decision 2). Default `poll`. */
  readonly lane?: 'poll' | 'order';
  readonly signal?: AbortSignal;
  /**
   * Lane `order` only: called when a connection had to be made first, once it stands and before the first byte, since the
   * reasons that allowed the request are old by then. The request leaves within the call of `answer(true)`; on `false` it
   * fails as `aborted`, not sent.
   */
  readonly mayLeave?: ((answer: (may: boolean) => void) => void) | undefined;
}

export interface HttpHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpResponse extends HttpHead {
  readonly body: string;
}

/** The exchange failed. `sent` is false only when it is certain that no byte of the request left the process. */
export class HttpFailure extends Error {
  readonly sent: boolean;
  readonly reason: 'refused' | 'timeout' | 'reset' | 'too-large' | 'aborted' | 'other';
  /** The code of the underlying error, e.g. of a bad certificate. Safe to log: it holds no part of an address. */
  readonly detail: string | undefined;
  /** The beginning of an answer whose body did not arrive as a whole; `undefined`: nothing of an answer came. */
  readonly head: HttpHead | undefined;
  constructor(
    reason: HttpFailure['reason'],
    sent: boolean,
    message: string,
    {
      cause,
      detail,
      head,
    }: { readonly cause?: unknown; readonly detail?: string; readonly head?: HttpHead } = {},
  ) {
    super(message, { cause });
    this.name = 'HttpFailure';
    this.reason = reason;
    this.sent = sent;
    this.detail = detail;
    this.head = head;
  }
}

export interface HttpTransport {
  /** @throws HttpFailure when there is no complete answer. Any status is an answer. */
  exchange(request: HttpRequest): Promise<HttpResponse>;
  /**
   * `true`: requests of lane `order` may follow at any time, so keep connections open ahead for them. `false`: no longer.
   */
  expectOrders?(expected: boolean): void;
  close(): Promise<void>;
}
