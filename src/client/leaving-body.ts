import { sha256 } from '../model/digest.js';
import type { LeavingOrder } from '../ports/venue-api.js';

/** A finished body. Its hash is worked out only when a journal reads it, so that otherwise no order waits for it. */
export class LeavingBody implements LeavingOrder {
  readonly validUntil: number | undefined;
  readonly #body: string;
  #sha256: string | undefined;

  constructor(body: string, validUntil: number | undefined) {
    this.#body = body;
    this.validUntil = validUntil;
  }

  get bodySha256(): string {
    this.#sha256 ??= sha256(this.#body);
    return this.#sha256;
  }
}
