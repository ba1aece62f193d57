import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { UsageError } from '../model/errors.js';

const MOST_BYTES = 4_096;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * The one secret in a file, without the line end.
 *
 * @throws UsageError unless it is a regular file, owned by the user of this process, closed to group and others, and
 * holds one word of visible ASCII. The message never shows what it holds.
 */
export function readSecretFile(
  path: string,
  { links = true }: { /** Whether the path may be a symbolic link. */ readonly links?: boolean } = {},
): Promise<string> {
  return readOwned(path, { links, strangers: 0o077, owners: [] });
}

/**
 * The same for a file that the system has put there for this process alone (systemd's `LoadCredential`): it may be
 * root's, and its group bits are those of an access list.
 */
export function readCredential(path: string): Promise<string> {
  return readOwned(path, { links: true, strangers: 0o007, owners: [ROOT] });
}

const ROOT = 0;

interface Ownership {
  readonly links: boolean;
  /** Permission bits that it must not have. */
  readonly strangers: number;
  /** Who may own it besides the user of this process. */
  readonly owners: readonly number[];
}

async function readOwned(path: string, { links, strangers, owners }: Ownership): Promise<string> {
  // What is judged is what was opened: a look before the opening could be of another file. A pipe is not waited for.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (links ? 0 : constants.O_NOFOLLOW);
  const handle = await open(path, flags).catch((cause: NodeJS.ErrnoException) => {
    throw secretError(path, 'must be readable', cause.code ?? 'an error');
  });
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw secretError(path, 'must be a regular file', 'something else');
    const user = process.geteuid?.();
    if (user !== undefined && facts.uid !== user && !owners.includes(facts.uid)) {
      throw secretError(path, `must belong to user ${user}`, `owner ${facts.uid}`);
    }
    if ((facts.mode & strangers) !== 0 && process.platform !== 'win32') {
      const mode = (facts.mode & 0o777).toString(8).padStart(3, '0');
      throw secretError(path, 'must be closed to group and others (chmod 600)', `mode ${mode}`);
    }
    if (facts.size > MOST_BYTES) {
      throw secretError(path, `must have at most ${MOST_BYTES} bytes`, `${facts.size} bytes`);
    }
    return oneWord(`secret file ${path}`, await handle.readFile('utf8'));
  } finally {
    await handle.close();
  }
}

/**
 * The secret in an environment variable, or `undefined` when it is not set. The variable is removed: an environment
 * is inherited by children and can be read from outside.
 */
export function takeSecretVariable(name: string): string | undefined {
  const value = process.env[name];
  if (value === undefined) return undefined;
  delete process.env[name];
  return oneWord(`environment variable ${name}`, value);
}

function oneWord(what: string, text: string): string {
  const secret = text.replace(/\r?\n$/, '');
  if (!VISIBLE_ASCII.test(secret)) {
    const received = secret === '' ? 'nothing' : `${secret.length} characters with others among them`;
    throw new UsageError(
      'TICKWRIGHT_E_SECRET',
      `${what} must hold one word of visible ASCII, received ${received}`,
    );
  }
  return secret;
}

function secretError(path: string, must: string, received: string): UsageError {
  return new UsageError('TICKWRIGHT_E_SECRET_FILE', `secret file ${path} ${must}, received ${received}`);
}
