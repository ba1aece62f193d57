import { configJsonSchema, type JsonSchema } from './json-schema.js';
import { type ConfigSource, isParam, parseConfig } from './load-config.js';
import { type Path, pathText, readYaml } from './yaml-document.js';

/**
 * The source of a value. `environment`: a variable that is set occurs in it; a default in `${NAME:-default}` counts as
 * `file`.
 */
export type ValueOrigin = 'file' | 'environment' | 'default';

export interface EffectiveValue {
  /** `strategies[0].params.fast` */
  readonly path: string;
  /** As a person writes it. */
  readonly value: string;
  readonly origin: ValueOrigin;
}

/**
 * Every value that counts, in the order of the schema: what the file says, and what it leaves to the defaults. Paths are as they
 * are written. There are no secrets among them: a configuration that holds one is refused.
 *
 * @throws UsageError as `parseConfig`
 */
export function effectiveConfig(source: ConfigSource): readonly EffectiveValue[] {
  parseConfig(source);
  const { text, environment } = source;
  const document = readYaml(text, { environment, isText: isParam });
  const found: EffectiveValue[] = [];
  collect(configJsonSchema(), document.value, []);
  return found;

  function collect(schema: JsonSchema, given: unknown, path: Path): void {
    if (Array.isArray(given)) {
      for (const [i, item] of given.entries()) collect(schema.items ?? {}, item, [...path, i]);
      if (given.length === 0) tell(path, '[]', 'file');
      return;
    }
    if (isMap(given) || schema.properties !== undefined) {
      const values = isMap(given) ? given : {};
      const known = Object.keys(schema.properties ?? {});
      const names = [...known, ...Object.keys(values).filter((name) => !known.includes(name))];
      for (const name of names) {
        const inner = schema.properties?.[name] ?? {};
        const value = values[name];
        if (value !== undefined || hasDefault(inner)) collect(inner, value, [...path, name]);
      }
      return;
    }
    if (given === undefined) tell(path, valueText(schema.default), 'default');
    else tell(path, valueText(given), document.isFromEnvironment(path) ? 'environment' : 'file');
  }

  function tell(path: Path, value: string, origin: ValueOrigin): void {
    found.push({ path: pathText(path), value, origin });
  }
}

function hasDefault(schema: JsonSchema): boolean {
  return schema.default !== undefined && !isEmpty(schema);
}

/** A list or a map of names that are the user's own, with nothing in it by default. */
function isEmpty({ default: value, properties }: JsonSchema): boolean {
  return (
    typeof value === 'object' && value !== null && Object.keys(value).length === 0 && properties === undefined
  );
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
