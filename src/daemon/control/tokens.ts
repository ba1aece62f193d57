import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';

const OWNER_ONLY = 0o600;
const TOKEN = /^[\w-]{32,256}$/;

export interface TokenParts {
  readonly files: Files;
  /** Reads the single word of a file that only its owner can read. @throws UsageError for any other file */
  readonly readSecret: (path: string) => Promise<string>;
  /** 256 random bits as text, new at each call. */
  readonly random: () => string;
}

/** The token in the file, which the first start creates. @throws UsageError when it is not a token, or not private */
export async function tokenIn({ files, readSecret, random }: TokenParts, path: string): Promise<string> {
  if ((await files.stat(path)) === undefined) {
    const token = random();
    try {
      await files.writeAtomic(path, `${token}\n`, OWNER_ONLY);
    } catch (error) {
      // On a full disk the token exists in memory only, so HTTP refuses everybody. The socket needs no token.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
    return token;
  }
  const token = await readSecret(path);
  if (TOKEN.test(token)) return token;
  throw new UsageError(
    'TICKWRIGHT_E_TOKEN',
    `${path} must hold a token of at least 32 letters and digits, received another text: remove it for a new one`,
  );
}

/** @throws UsageError when both tokens are the same, since a reader could then control */
export function demandDifferent(readToken: string, controlToken: string): void {
  if (readToken !== controlToken) return;
  throw new UsageError(
    'TICKWRIGHT_E_TOKEN',
    'read.token and control.token must be different, received one token for both: remove one of them',
  );
}
