import type { Reply } from '../door.js';

/** What the client made of a refusal, put back into the envelope that it does not keep. */
export function refusal(msg: string): Reply {
  return { status: 503, code: 503, msg, result: {} };
}
