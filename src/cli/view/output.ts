/** Writes to stdout and stderr. */
import { writeError, writeOut } from '../../platform/process.js';

/** Prints a JSON document in one line. */
export async function printJson(document: object): Promise<void> {
  await writeOut(`${JSON.stringify({ schemaVersion: 1, ...document })}\n`);
}

export async function printText(text: string): Promise<void> {
  await writeOut(`${text}\n`);
}

/** Prints progress and remarks for people to stderr, which are not part of a result. */
export async function say(text: string): Promise<void> {
  await writeError(`${text}\n`);
}
