import type { StreamRest } from '../../storage/arrow-stream.js';

/** What of a file of a recording cannot be read. */
export function unreadText({ file, at, bytes }: StreamRest & { readonly file: string }): string {
  return `${file}: its last ${bytes} bytes, from byte ${at} on, cannot be read`;
}
