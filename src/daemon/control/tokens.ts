import { UsageError } from '../../model/errors.js';
import { FileMissing, type Files } from '../../ports/files.js';

const OWNER_ONLY = 0o600;
const TOKEN = /^[\w-]{32,256}$/;

/** The token of a file, made at the first start and readable by its owner alone. @throws UsageError when it is no token */
export async function tokenIn(files: Files, path: string, random: () => string): Promise<string> {
  try {
    const token = (await files.readText(path)).trim();
    if (TOKEN.test(token)) return token;
    throw new UsageError(
      'TICKWRIGHT_E_TOKEN',
      `${path} must hold a token of at least 32 characters, received another text`,
    );
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    const token = random();
    await files.writeAtomic(path, `${token}\n`, OWNER_ONLY);
    return token;
  }
}
