export type Field = readonly [name: string, value: string];

/** What stands for itself in a form, so that nearly every field of an order needs no encoding. */
const PLAIN = /^[A-Za-z0-9._*-]*$/;

/** The one place where a form-urlencoded body is made; the string it returns is what is signed and sent. */
export function formBody(fields: readonly Field[]): string {
  let body = '';
  for (const [name, value] of fields) {
    if (!PLAIN.test(name + value)) return encoded(fields);
    body += body === '' ? `${name}=${value}` : `&${name}=${value}`;
  }
  return body;
}

function encoded(fields: readonly Field[]): string {
  const form = new URLSearchParams();
  for (const [name, value] of fields) form.append(name, value);
  return form.toString();
}
