/** The configuration's JSON Schema as the text of a file. */
export async function configSchemaText(): Promise<string> {
  const { configJsonSchema } = await import('../../config/json-schema.js');
  return `${JSON.stringify(configJsonSchema(), undefined, 2)}\n`;
}
