/** A failed write to an open file does not say which one it is: this does. */
export function atPath(error: unknown, path: string): unknown {
  if (error instanceof Error && (error as NodeJS.ErrnoException).path === undefined) {
    (error as NodeJS.ErrnoException).path = path;
  }
  return error;
}
