/** The body of a request. Unknown fields are refused, because a misspelt `dryRun` must not lead to a real action. */
import type { Context } from 'hono';
import type { Env } from './guard.js';

export class BadRequest extends Error {}

const MOST_TEXT = 500;
const MOST_NAME = 64;
const MOST_PARAMS = 100;
const PARAM_NAME = /^[A-Za-z]\w{0,63}$/;
/** Names with a meaning in JavaScript that no strategy's parameter may have. */
const NO_PARAMS = new Set(['constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf']);
/** Line ends and characters that could forge a log line or reverse its text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** The fields of one JSON object, each asked for by name. */
export class RequestFields {
  readonly #fields: ReadonlyMap<string, unknown>;

  private constructor(fields: ReadonlyMap<string, unknown>) {
    this.#fields = fields;
  }

  /** `known`: further fields beside `by`, `reason` and `confirm`, which are always allowed. @throws BadRequest */
  static async of(context: Context<Env>, known: readonly string[]): Promise<RequestFields> {
    let body: unknown;
    try {
      body = JSON.parse(await context.req.text());
    } catch {
      throw new BadRequest('the body must be JSON');
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new BadRequest('the body must be a JSON object');
    const fields = new Map<string, unknown>(Object.entries(body));
    const names = new Set([...known, 'by', 'reason', 'confirm']);
    for (const name of fields.keys()) {
      if (!names.has(name)) {
        throw new BadRequest(
          `the body must hold no more than ${[...names].join(', ')}, received another name`,
        );
      }
    }
    return new RequestFields(fields);
  }

  /** The text as one line, without unprintable characters. */
  text(name: string): string {
    const text = line(this.#fields.get(name), MOST_TEXT);
    if (text === '') throw new BadRequest(`${name} must be a text that is not empty`);
    return text;
  }

  /** The way by which a request came, and the name that its sender claims. */
  by(way: string): string {
    const value = this.#fields.get('by');
    if (value === undefined) return way;
    if (typeof value !== 'string') throw new BadRequest('by must be a text');
    const name = line(value, MOST_NAME);
    return name === '' ? way : `${way} ${name}`;
  }

  flag(name: string): boolean {
    const value = this.#fields.get(name) ?? false;
    if (typeof value === 'boolean') return value;
    throw new BadRequest(`${name} must be true or false`);
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word {
    const value = this.#fields.get(name);
    const found = words.find((word) => word === value);
    if (found === undefined) throw new BadRequest(`${name} must be one of ${words.join(', ')}`);
    return found;
  }

  /** Texts by name. */
  params(name: string): Readonly<Record<string, string>> {
    const value = this.#fields.get(name);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new BadRequest(`${name} must be texts by name`);
    const entries = Object.entries(value);
    if (entries.length > MOST_PARAMS) throw new BadRequest(`${name} must be at most ${MOST_PARAMS}`);
    return Object.fromEntries(
      entries.map(([key, text]: [string, unknown]) => {
        if (!PARAM_NAME.test(key) || NO_PARAMS.has(key))
          throw new BadRequest(`${name} must have names of parameters, received another name`);
        if (typeof text !== 'string' || text.length > MOST_TEXT)
          throw new BadRequest(`${name}.${key} must be a text of at most ${MOST_TEXT} characters`);
        return [key, text];
      }),
    );
  }

  /** Demands that the sender repeats a word, before an action that destroys something or ends a halt. */
  confirm(word: string): void {
    if (this.#fields.get('confirm') !== word)
      throw new BadRequest(`confirm must be '${line(word, MOST_NAME)}'`);
  }
}

function line(value: unknown, most: number): string {
  return typeof value === 'string' ? value.replace(UNSEEN, ' ').trim().slice(0, most) : '';
}
