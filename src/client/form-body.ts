export type Field = readonly [name: string, value: string];

const AMPERSAND = 38;
const EQUALS = 61;
/** By character code: 1 for a character that a form does not encode. Nearly all order fields consist of such characters. */
const PLAIN = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._*-') {
  PLAIN[character.charCodeAt(0)] = 1;
}

/** The one place where a form-urlencoded body is made; the string it returns is what is signed and sent. */
export function formBody(fields: readonly Field[]): string {
  let body = '';
  for (const field of fields) {
    const text = `${field[0]}=${field[1]}`;
    body += body === '' ? text : `&${text}`;
  }
  return isPlain(body, fields.length) ? body : encoded(fields);
}

/** True when none of the fields needs encoding. Checked on the joined body, which is faster: an order waits for it. */
function isPlain(body: string, fields: number): boolean {
  let ends = 0;
  let middles = 0;
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at);
    if (code === AMPERSAND) ends++;
    else if (code === EQUALS) middles++;
    else if (PLAIN[code] !== 1) return false;
  }
  return middles === fields && ends === fields - 1;
}

function encoded(fields: readonly Field[]): string {
  const form = new URLSearchParams();
  for (const [name, value] of fields) form.append(name, value);
  return form.toString();
}
