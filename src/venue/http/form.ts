/**
 * `application/x-www-form-urlencoded` as this interface uses it: scalars, and lists as indexed brackets (`ids[0]=`,
 * `orders[0][pair]=`), `ids[]=` or a bare `ids=` (`dialect.md` §1). Query strings have the same format.
 *
 * Fields are kept in a Map, so that a key such as `__proto__` is a key like any other.
 */
export class Form {
  readonly #fields: ReadonlyMap<string, readonly string[]>;

  private constructor(fields: ReadonlyMap<string, readonly string[]>) {
    this.#fields = fields;
  }

  /** Parses a form; `undefined` if a percent escape is broken or not UTF-8. */
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

  /** All values given under exactly this name, in order. */
  all(name: string): readonly string[] {
    return this.#fields.get(name) ?? NONE;
  }

  /**
   * The elements of a list in any spelling: by index, then `name[]`, then bare ones, each in order. Returns a key that
   * looks like an element but cannot be read: ignoring it would change the meaning of the list.
   */
  list(name: string): readonly string[] | UnreadableKey {
    const indexed: { index: number; value: string }[] = [];
    for (const { key, rest, values } of this.#continued(name)) {
      if (rest === '' || rest === '[]') continue;
      const element = ELEMENT.exec(rest);
      if (element === null) return new UnreadableKey(key);
      for (const value of values) indexed.push({ index: Number(element[1]), value });
    }
    indexed.sort((a, b) => a.index - b.index);
    return [...indexed.map(({ value }) => value), ...this.all(`${name}[]`), ...this.all(name)];
  }

  /** The forms inside `name[0][…]`, `name[1][…]`, ordered by index; or a key that looks like one but cannot be read. */
  groups(name: string): readonly Form[] | UnreadableKey {
    const groups = new Map<number, Map<string, readonly string[]>>();
    for (const { key, rest, values } of this.#continued(name)) {
      const field = FIELD_OF_ELEMENT.exec(rest);
      if (field === null) return new UnreadableKey(key);
      const index = Number(field[1]);
      const group = groups.get(index) ?? new Map<string, readonly string[]>();
      group.set(field[2] as string, values);
      groups.set(index, group);
    }
    return [...groups].sort(([a], [b]) => a - b).map(([, fields]) => new Form(fields));
  }

  /**
   * The keys that are `name`, or start with it and continue with anything but a letter or `_`, which would be another
   * name.
   */
  *#continued(name: string): Iterable<{ key: string; rest: string; values: readonly string[] }> {
    for (const [key, values] of this.#fields) {
      if (!key.startsWith(name)) continue;
      const rest = key.slice(name.length);
      if (!OTHER_NAME.test(rest)) yield { key, rest, values };
    }
  }
}

/** A key of a list that does not say which element it means. */
export class UnreadableKey {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

const OTHER_NAME = /^[A-Za-z_]/;
/** Each index has only one spelling, so that two keys never mean the same element. */
const ELEMENT = /^\[(0|[1-9]\d{0,14})\]$/;
const FIELD_OF_ELEMENT = /^\[(0|[1-9]\d{0,14})\]\[([^[\]]+)\]$/;
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
