/**
 * `application/x-www-form-urlencoded` as this interface uses it: scalars, and lists as indexed brackets
 * (`ids[0]=`, `orders[0][pair]=`), `ids[]=` or a bare `ids=` (`dialect.md` §1). Query strings are the same language.
 *
 * Fields stand in a Map, so that a key such as `__proto__` is a key like any other.
 */
export class Form {
  readonly #fields: ReadonlyMap<string, readonly string[]>;

  private constructor(fields: ReadonlyMap<string, readonly string[]>) {
    this.#fields = fields;
  }

  /** `undefined` when a percent escape is broken or is no UTF-8. */
  static parse(text: string): Form | undefined {
    const fields = new Map<string, string[]>();
    for (const pair of text.split('&')) {
      if (pair === '') continue;
      const at = pair.indexOf('=');
      const name = decode(at < 0 ? pair : pair.slice(0, at));
      const value = at < 0 ? '' : decode(pair.slice(at + 1));
      if (name === undefined || value === undefined) return undefined;
      const values = fields.get(name);
      if (values === undefined) fields.set(name, [value]);
      else values.push(value);
    }
    return new Form(fields);
  }

  /** Every value given under exactly this name, in order. */
  all(name: string): readonly string[] {
    return this.#fields.get(name) ?? NONE;
  }

  /** The elements of a list in any of its spellings: by index, then `name[]`, then bare ones, each in order. */
  list(name: string): readonly string[] {
    const indexed: { index: number; value: string }[] = [];
    for (const [key, values] of this.#fields) {
      const index = indexOf(key, name);
      if (index !== undefined) for (const value of values) indexed.push({ index, value });
    }
    indexed.sort((a, b) => a.index - b.index);
    return [...indexed.map(({ value }) => value), ...this.all(`${name}[]`), ...this.all(name)];
  }

  /** The forms inside `name[0][…]`, `name[1][…]`, ordered by index. */
  groups(name: string): readonly Form[] {
    const groups = new Map<number, Map<string, readonly string[]>>();
    for (const [key, values] of this.#fields) {
      const inner = /^(.*?)\[(\d{1,6})\]\[([^\]]+)\]$/.exec(key);
      if (inner === null || inner[1] !== name) continue;
      const index = Number(inner[2]);
      const group = groups.get(index) ?? new Map<string, readonly string[]>();
      group.set(inner[3] as string, values);
      groups.set(index, group);
    }
    return [...groups].sort(([a], [b]) => a - b).map(([, fields]) => new Form(fields));
  }
}

const NONE: readonly string[] = [];

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

function indexOf(key: string, name: string): number | undefined {
  if (!key.startsWith(`${name}[`) || !key.endsWith(']')) return undefined;
  const inner = key.slice(name.length + 1, -1);
  return /^\d{1,6}$/.test(inner) ? Number(inner) : undefined;
}
