import type { RawReply } from '../door.js';

/** An answer taken apart; what is no JSON object has no code, msg and result. */
export function parsed(status: number, body: string, headers: Readonly<Record<string, string>>): RawReply {
  let envelope: unknown;
  try {
    envelope = JSON.parse(body);
  } catch {
    envelope = body;
  }
  const { code, msg, result } = (typeof envelope === 'object' && envelope !== null ? envelope : {}) as {
    code?: unknown;
    msg?: unknown;
    result?: unknown;
  };
  return { status, code, msg, result, envelope, headers };
}
