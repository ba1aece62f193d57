import type { Refused } from './envelope.js';
import { malformed } from './fields.js';
import { Form } from './form.js';
import { headerOf, type WireRequest } from './wire.js';

/** Larger bodies are refused unread. */
export const MAX_BODY_BYTES = 65_536;
export const TOO_LARGE = malformed('body', `at most ${MAX_BODY_BYTES} bytes`, 'more');

const FORM_TYPE = 'application/x-www-form-urlencoded';
const JSON_START = /^\s*[[{]/;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The fields of a request: from the body of a POST, else from the query. */
export function fieldsOf(request: WireRequest): Form | Refused {
  return (
    (request.method === 'POST' ? bodyForm(request) : Form.parse(request.query)) ??
    malformed('parameters', 'percent-encoded UTF-8')
  );
}

function bodyForm(request: WireRequest): Form | Refused | undefined {
  const type = headerOf(request, 'content-type');
  if (type !== undefined && type.split(';', 1)[0]?.trim().toLowerCase() !== FORM_TYPE) {
    return malformed('content-type', FORM_TYPE, type);
  }
  const text = decodeUtf8(request.body);
  if (text === undefined) return undefined;
  // As a form, JSON would be one unknown field: a bulk cancel of some orders would be read as one of all orders.
  return JSON_START.test(text) ? malformed('body', 'a form like pair=…&qty=…', text) : Form.parse(text);
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
