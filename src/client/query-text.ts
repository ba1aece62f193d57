import type { Query } from './endpoints/endpoint.js';

/** The query of a read with its question mark, or nothing; what is undefined is left out. */
export function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
