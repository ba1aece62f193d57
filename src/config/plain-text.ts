import { z } from 'zod';

/**
 * A text that names a file or an address. Nobody means a control character there: a NUL ends the name of a file, and what
 * parses addresses drops others in silence.
 */
export function plainText(what: string) {
  return z
    .string(what)
    .min(1, what)
    .refine((text) => !hasControls(text), `${what}, without control characters`);
}

export function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
