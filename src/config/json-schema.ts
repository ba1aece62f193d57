import { z } from 'zod';
import { configSchema } from './schema.js';

/** As much of JSON Schema (2020-12) as the configuration's has. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
}

/** What a value that no schema takes is told tells what the schema takes. */
const NOTHING = Symbol('no value');
/** zod's own words, where a schema has none. */
const OWN_WORDS = /^Invalid /;

/**
 * The configuration file for editors, which complete and check it while it is written: what each value is, in the words of
 * the error that a wrong one gets.
 */
export function configJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(configSchema, {
    io: 'input',
    override({ zodSchema, jsonSchema, path }) {
      const { error } = z.safeParse(zodSchema, NOTHING);
      const message = error?.issues[0]?.message;
      if (message !== undefined && !OWN_WORDS.test(message)) jsonSchema.description = message;
      // Parameters are taken as they are written, and YAML writes numbers without quotes.
      if (path.at(-2) === 'params' && path.at(-1) === 'additionalProperties')
        jsonSchema.type = ['string', 'number', 'boolean'] as never;
    },
  });
  return { ...(schema as JsonSchema), title: 'Tickwright configuration' };
}
