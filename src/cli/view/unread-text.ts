import type { StreamRest } from '../../storage/arrow-stream.js';

/** For those who go on without what cannot be read. */
export function unreadWarning(file: string, rest: StreamRest): string {
  return `warning: ${unreadText({ file, ...rest })} (${rest.kind}); what they held is missing here (tickwright data check lists all such files)`;
}

/** What of a file of a recording cannot be read. */
export function unreadText({ file, at, bytes }: StreamRest & { readonly file: string }): string {
  if (bytes === 0) return `${file}: it is empty`;
  return `${file}: its last ${bytes} bytes, from byte ${at} on, cannot be read`;
}
