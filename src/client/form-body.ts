export type Field = readonly [name: string, value: string];

/** What stands for itself in a form, so that nearly every field of an order needs no encoding. */
const PLAIN = /^[A-Za-z0-9._*-]*$/;

/** The one place where a form-urlencoded body is made; the string it returns is what is signed and sent. */
export function formBody(fields: readonly Field[]): string {
  let body = '';
  // Looked at together: an order waits for this.
  let texts = '';
  for (let at = 0; at < fields.length; at++) {
    const [name, value] = fields[at] as Field;
    texts += name + value;
    body += at === 0 ? `${name}=${value}` : `&${name}=${value}`;
  }
  return PLAIN.test(texts) ? body : encoded(fields);
}

function encoded(fields: readonly Field[]): string {
  const form = new URLSearchParams();
  for (const [name, value] of fields) form.append(name, value);
  return form.toString();
}
