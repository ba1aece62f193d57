import { createHmac } from 'node:crypto';

/** x-signature as the specification has it, with no code of ours: base64 of the HMAC-SHA256 of the body. */
export function hmac(secret: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

/** A body as the specification has it. What is undefined is not sent. */
export function formText(fields: Readonly<Record<string, string | number | boolean | undefined>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}
