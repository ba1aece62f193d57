/** Environment variables, as they are given to us. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Substitution {
  readonly text: string;
  /** A variable that is set stands in it, and not only the defaults of those that are not. */
  readonly isFromEnvironment: boolean;
  /** What could not be replaced, each with its place in the given text. */
  readonly problems: readonly { readonly start: number; readonly end: number; readonly message: string }[];
}

const PLACEHOLDER = /\$\$\{|\$\{([^}]*)(\}?)/g;
const NAME = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;
const SECRET_NAME = /(api_?key|secret|password|passphrase|token|private_?key|credential)/i;

/**
 * `${NAME}` and `${NAME:-default}` (for a variable that is not set, or empty); `$${` stands for `${`.
 * A variable that holds a secret is not put into a configuration, which gets printed; one that names a file may be.
 */
export function substitute(text: string, environment: Environment): Substitution {
  const problems: { start: number; end: number; message: string }[] = [];
  let isFromEnvironment = false;
  const result = text.replace(
    PLACEHOLDER,
    (all: string, inside: string | undefined, close: string, start: number) => {
      if (inside === undefined) return '${';
      const fail = (message: string): string => {
        problems.push({ start, end: start + all.length, message });
        return '';
      };
      const match = close === '' ? null : NAME.exec(inside);
      if (match === null) return fail(`expected \${NAME} or \${NAME:-default}, received ${all}`);
      const [, name = '', fallback] = match;
      if (SECRET_NAME.test(name) && !/_FILE$/i.test(name)) {
        return fail(`expected no secret in this file, received \${${name}}: name the file that holds it`);
      }
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
      if (fallback !== undefined && (value === undefined || value === '')) return fallback;
      if (value === undefined) {
        return fail(`expected the environment variable ${name} to be set, received nothing`);
      }
      isFromEnvironment = true;
      return value;
    },
  );
  return { text: result, isFromEnvironment, problems };
}
