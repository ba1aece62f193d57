import { closest } from './closest.js';
import { type ConfigProblem, withoutUser } from './config-problem.js';
import { type Path, pathText, type YamlDocument } from './yaml-document.js';

interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

/**
 * What a schema found, each with its place in the file. The message of a check says what is expected; what was
 * received is added here. `base`: where in the document the checked value stands.
 */
export function schemaProblems(
  issues: readonly Issue[],
  schema: unknown,
  document: YamlDocument,
  base: Path = [],
): readonly ConfigProblem[] {
  return issues.flatMap((issue) => {
    const inner = issue.path as Path;
    if (issue.code !== 'unrecognized_keys') {
      const asText = schemaAt(schema, inner);
      return [problemAt([...base, ...inner], { expected: issue.message, asText }, document)];
    }
    const known = keysAt(schema, inner).filter((name) => name !== '$schema');
    return (issue.keys ?? []).map((key) => unknownKey([...base, ...inner, key], known, document));
  });
}

/** `asText`: the schema of the value, which tells whether quotes would help. */
function problemAt(
  path: Path,
  { expected, asText }: { readonly expected: string; readonly asText: Schema | undefined },
  document: YamlDocument,
): ConfigProblem {
  const value = valueAt(document.value, path);
  const place = document.placeOf(path);
  const [start, end] =
    (value === undefined || value === null) && place.key !== undefined ? place.key : place.value;
  const hint =
    typeof value === 'number' &&
    expected.includes('quoted') &&
    asText?.safeParse(String(value)).success === true
      ? ` (write "${value}" in quotes)`
      : '';
  return {
    start,
    end,
    path: pathText(path),
    message: `expected ${expected}, received ${received(value)}${hint}`,
  };
}

function unknownKey(path: Path, known: readonly string[], document: YamlDocument): ConfigProblem {
  const key = String(path.at(-1));
  const meant = closest(key, known);
  const place = document.placeOf(path);
  const [start, end] = place.key ?? place.value;
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return {
    start,
    end,
    path: pathText(path),
    message: `expected one of ${known.join(', ')}, received ${key}${hint}`,
  };
}

/** Two checks may find the same fault. */
export function withoutRepeats(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.filter(
    (problem, index) =>
      problems.findIndex(({ path, start }) => path === problem.path && start === problem.start) === index,
  );
}

export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[part];
  }
  return at;
}

/** The keys that the schema knows at a path. */
function keysAt(schema: unknown, path: Path): readonly string[] {
  return Object.keys(schemaAt(schema, path)?._zod.def.shape ?? {});
}

/** The schema at a path; through lists, defaults and what may be absent. */
function schemaAt(schema: unknown, path: Path): Schema | undefined {
  const { def } = (schema as Schema)._zod;
  if (def.innerType !== undefined) return schemaAt(def.innerType, path);
  const [first, ...rest] = path;
  if (first === undefined) return schema as Schema;
  const inner = def.shape === undefined ? def.element : def.shape[first];
  return inner === undefined ? undefined : schemaAt(inner, rest);
}

interface Schema {
  readonly _zod: { readonly def: SchemaDef };
  safeParse(value: unknown): { readonly success: boolean };
}

interface SchemaDef {
  readonly innerType?: unknown;
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly element?: unknown;
}

function received(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a map';
  return withoutUser(JSON.stringify(typeof value === 'string' ? value.slice(0, 80) : value));
}
