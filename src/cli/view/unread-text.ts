import type { StreamRest } from '../../storage/rows/arrow-stream.js';

/** For those who go on without what cannot be read. */
export function unreadWarning(file: string, rest: StreamRest): string {
  return `warning: ${unreadText({ file, ...rest })} (${rest.kind}); what they held is missing here (tickwright data check lists all such files)`;
}

/** What of a file of a recording cannot be read. */
export function unreadText({ file, at, bytes, why }: StreamRest & { readonly file: string }): string {
  const what = `its last ${bytes} bytes, from byte ${at} on, cannot be read`;
  if (why !== undefined) return `${why} (${what})`;
  return bytes === 0 ? `${file}: it is empty` : `${file}: ${what}`;
}
