/** Requests as the specification says they look, written by hand. */
import type { Fields, RawRequest } from '../door.js';
import { formText, hmac } from '../hmac.js';

export function getRequest(path: string, query: Fields, key: string | undefined): RawRequest {
  const text = formText(query);
  return {
    method: 'GET',
    target: text === '' ? path : `${path}?${text}`,
    headers: key === undefined ? {} : { 'x-api-key': key },
  };
}

export function postRequest(
  path: string,
  fields: Fields,
  { key, secret }: { readonly key: string; readonly secret: string },
): RawRequest {
  const body = formText(fields);
  return {
    method: 'POST',
    target: path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-api-key': key,
      'x-signature': hmac(secret, body),
    },
    body,
  };
}
