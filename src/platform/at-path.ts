/** A failed write to an open file does not say which one it is: this does. */
export function atPath(error: unknown, path: string): unknown {
  if (error instanceof Error && (error as NodeJS.ErrnoException).path === undefined) {
    (error as NodeJS.ErrnoException).path = path;
  }
  return error;
}

/** What went wrong with a file under the hidden name that it has until it is whole is told of the file itself. */
export function atPathOf(error: unknown, temporary: string, path: string): unknown {
  if (error instanceof Error) {
    error.message = error.message.replaceAll(temporary, path);
    if ((error as NodeJS.ErrnoException).path === temporary) (error as NodeJS.ErrnoException).path = path;
  }
  return atPath(error, path);
}
