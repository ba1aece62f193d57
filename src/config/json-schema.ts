import { z } from 'zod';
import { configSchema } from './schema.js';

/** The part of JSON Schema (2020-12) that the configuration's schema uses. */
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

/** A value that every schema rejects: the error message tells what the schema accepts. */
const NOTHING = Symbol('no value');
/** zod's own words, where a schema has none. */
const OWN_WORDS = /^Invalid /;

/**
 * The JSON schema of the configuration file, by which editors complete and check it. Descriptions are the texts of the
 * errors that wrong values get.
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
