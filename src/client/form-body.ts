export type Field = readonly [name: string, value: string];

/** The one place where a form-urlencoded body is made; the string it returns is what is signed and sent. */
export function formBody(fields: readonly Field[]): string {
  const form = new URLSearchParams();
  for (const [name, value] of fields) form.append(name, value);
  return form.toString();
}
