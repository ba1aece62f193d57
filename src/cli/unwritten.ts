/** A result that can be written nowhere, as on a full disk, must not keep a command from what it has to do besides. */
import { EXIT, type ExitCode } from './exit-code.js';
import { reportError } from './report-error.js';

/** Resolves when the result is printed, or to the error that it cannot be. */
export async function unwritten(print: Promise<void>): Promise<Error | undefined> {
  try {
    await print;
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** The exit code of a command that is done: its own, but what was lost is no success. */
export async function endedUnwritten(code: ExitCode, error: Error | undefined): Promise<ExitCode> {
  if (error === undefined) return code;
  const own = await reportError(error);
  return code === EXIT.ok ? own : code;
}
