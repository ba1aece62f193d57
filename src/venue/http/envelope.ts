/**
 * The envelope around every answer (specification: Response envelope; `dialect.md` §2): success is HTTP 200 with code
 * 200; a refusal is HTTP 503 with code 503 and an empty object, except where a client is known to see another one.
 */

/**
 * A refusal, given in place of a result. It is a value rather than an exception, because a venue refuses all the time.
 */
export class Refused {
  readonly msg: string;
  readonly status: 503 | 408 | 429;
  readonly code: 503 | 414 | 429;

  private constructor(msg: string, status: 503 | 408 | 429, code: 503 | 414 | 429) {
    this.msg = msg;
    this.status = status;
    this.code = code;
  }

  static because(msg: string): Refused {
    return new Refused(msg, 503, 503);
  }

  /**
   * The same refusal with the part of the request that it is about. The rule stays in front, where clients look for it.
   */
  inside(part: string): Refused {
    return this.status === 503 ? Refused.because(`${this.msg} (${part})`) : this;
  }

  static staleTimestamp(): Refused {
    return new Refused('The timestamp is too old.', 408, 414);
  }

  static throttled(waitSeconds: number): Refused {
    // Rounded up: a client that waits exactly as long as it is told must not come too early.
    const seconds = Math.max(0.001, Math.ceil(waitSeconds * 1_000) / 1_000);
    return new Refused(`Too many requests, try again in ${seconds.toFixed(3)} seconds?`, 429, 429);
  }
}

/**
 * A list as the JSON texts of its rows. Texts of thousands of rows are kept far more often than they are sent, so they
 * are joined only on sending.
 */
export class Rows {
  readonly texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.texts = texts;
  }
}

/** The answer of an endpoint: the JSON text of its result, as a whole or by rows, or the refusal. */
export type Answer = string | Rows | Refused;

export function envelopeOf(answer: Answer): string {
  if (typeof answer === 'string') return `{"code":200,"msg":"OK","result":${answer}}`;
  if (answer instanceof Rows) return listEnvelope(answer.texts);
  const result = answer.code === 503 ? '{}' : 'null';
  return `{"code":${answer.code},"msg":${JSON.stringify(answer.msg)},"result":${result}}`;
}

export function listEnvelope(rows: readonly string[]): string {
  return `{"code":200,"msg":"OK","result":[${rows.join(',')}]}`;
}

export function statusOf(answer: Answer): number {
  return answer instanceof Refused ? answer.status : 200;
}
