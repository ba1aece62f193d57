/** The disk, or this user's share of it, has no room: the one failure of a write that passes by itself. */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as Error & { readonly code?: unknown };
    if (code === 'ENOSPC' || code === 'EDQUOT') return true;
  }
  return false;
}
