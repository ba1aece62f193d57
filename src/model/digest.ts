import { createHash, hash } from 'node:crypto';

/** Lower-case hex SHA-256 of bytes, or of a text in UTF-8: what `sha256sum` prints. */
export function sha256(contents: Uint8Array | string): string {
  return hash('sha256', contents, 'hex');
}

/** SHA-256 of bytes that arrive in chunks; the digest does not depend on the sizes of the chunks. */
export class Sha256 {
  readonly #hash = createHash('sha256');

  update(bytes: Uint8Array): this {
    this.#hash.update(bytes);
    return this;
  }

  /** Lower-case hex of everything so far; more may follow. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }
}
