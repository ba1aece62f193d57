import { UsageError } from '../../model/errors.js';
import { type AppendFile, FileMissing, type Files } from '../../ports/files.js';

/** Appends an object as one line of JSON. */
export async function appendLine(file: AppendFile, value: object): Promise<void> {
  await file.append(new TextEncoder().encode(`${JSON.stringify(value)}\n`));
}

/** Opens a file of lines for appending, and cuts off a torn last line. */
export async function openLines(files: Files, path: string): Promise<AppendFile> {
  const whole = await wholeLines(files, path);
  const file = await files.openAppend(path);
  const size = new TextEncoder().encode(whole).length;
  if (file.size() > size) await file.truncate(size);
  return file;
}

/**
 * The lines, each parsed by `read`. A torn last line is skipped: its write was never confirmed. A missing file has no
 * lines.
 *
 * @throws UsageError with `file:line` for a line that `read` rejects.
 */
export async function readLinesOfJson<T>(
  files: Files,
  path: string,
  read: (value: unknown) => T,
): Promise<T[]> {
  const lines = (await wholeLines(files, path)).split('\n');
  lines.pop();
  return lines.map((line, index) => {
    try {
      return read(JSON.parse(line));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new UsageError(
        'TICKWRIGHT_E_RECORDING',
        `${path}:${index + 1}: ${why}, received ${line.slice(0, 80)}`,
        { cause },
      );
    }
  });
}

async function wholeLines(files: Files, path: string): Promise<string> {
  try {
    const text = await files.readText(path);
    return text.slice(0, text.lastIndexOf('\n') + 1);
  } catch (error) {
    if (error instanceof FileMissing) return '';
    throw error;
  }
}
