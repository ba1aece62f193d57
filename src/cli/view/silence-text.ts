import type { Silence } from '../record/pair-recorder.js';
import { lengthText } from './moment.js';

/** The message after a recording whose newest trades nobody asked for, or nobody told. */
export function silenceText(pair: string, { forMs, isByDisk, reason = 'no answer yet' }: Silence): string {
  const forLast = `received none for the last ${lengthText(forMs)}`;
  const fault = isByDisk
    ? `the disk must have room for the trades of ${pair}, ${forLast}, so none were asked for`
    : `the venue must tell the trades of ${pair}, ${forLast}: ${reason}`;
  return `${fault}; what traded since then is not in the recording, and tickwright record goes on from there`;
}
