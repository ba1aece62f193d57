import type { StreamRest } from '../../storage/rows/arrow-stream.js';

/** The warning of a command that continues without the unreadable part of a file. */
export function unreadWarning(file: string, rest: StreamRest): string {
  return `warning: ${unreadText({ file, ...rest })} (${rest.kind}); what they held is missing here (tickwright data check lists all such files)`;
}

/** What of a recording's file cannot be read. */
export function unreadText({ file, at, bytes, why }: StreamRest & { readonly file: string }): string {
  const what = `its last ${bytes} bytes, from byte ${at} on, cannot be read`;
  if (why !== undefined) return bytes === 0 ? why : `${why} (${what})`;
  return bytes === 0 ? `${file}: it is empty` : `${file}: ${what}`;
}
