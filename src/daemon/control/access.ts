/**
 * Who may do what over HTTP (`reliability.md` e.5): tokens, browser sessions, one-time links, and protection against
 * guessing.
 */
import { sha256 } from '../../model/digest.js';

export type Scope = 'read' | 'control';

export interface AccessOptions {
  readonly readToken: string;
  readonly controlToken: string;
  /** 256 random bits as text, new at each call. */
  readonly random: () => string;
  /** Monotonic ms. */
  readonly now: () => number;
  /** Called when somebody seems to guess, with the number of wrong tokens and links since the last quiet time. */
  readonly onGuessing?: ((wrong: number) => void) | undefined;
}

/** A browser that opened a one-time link. */
export interface BrowserSession {
  readonly scope: Scope;
  /** Must accompany every change, besides the cookie. */
  readonly csrf: string;
}

const LINK_MS = 60_000;
const SESSION_MS = 12 * 3_600_000;
const MOST_SESSIONS = 16;
const MOST_LINKS = 16;
/** After this many wrong tokens, further wrong ones are refused without an answer for a while, each time longer. */
const WRONG_FREE = 5;
const FIRST_BAN_MS = 1_000;
const LONGEST_BAN_MS = 300_000;
/** After this long without a wrong token, earlier ones are forgotten, ms. */
const QUIET_MS = 600_000;

/**
 * Secrets are compared by their digests, so the time of a comparison reveals nothing about them. The Unix socket needs no
 * token, because only this user can open it. A right token is accepted even while guesses are being blocked: otherwise
 * anybody could lock the owner out. Guessing 256 bits is hopeless anyway.
 */
export class Access {
  readonly #options: AccessOptions;
  readonly #digests: Readonly<Record<Scope, string>>;
  /** By the digest of the code. */
  readonly #links = new Map<string, { readonly scope: Scope; readonly until: number }>();
  /** By the digest of the cookie. */
  readonly #sessions = new Map<string, BrowserSession & { readonly until: number }>();
  #wrong = 0;
  #wrongAt = Number.NEGATIVE_INFINITY;
  #bannedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#digests = { read: sha256(options.readToken), control: sha256(options.controlToken) };
  }

  /** How long wrong tokens are told to wait, ms; 0 when they need not. */
  get bannedMs(): number {
    return Math.max(0, this.#bannedUntil - this.#options.now());
  }

  /** The scope of a bearer token. A wrong token gives `undefined` and counts as an attempt to guess. */
  scopeOf(token: string): Scope | undefined {
    const digest = sha256(token);
    if (same(digest, this.#digests.control)) return 'control';
    if (same(digest, this.#digests.read)) return 'read';
    this.#failed();
    return undefined;
  }

  /** A code for `tickwright open`: valid once, within a minute. */
  link(scope: Scope): string {
    const { random, now } = this.#options;
    for (const [digest, { until }] of this.#links) if (until < now()) this.#links.delete(digest);
    dropOldest(this.#links, MOST_LINKS);
    const code = random();
    this.#links.set(sha256(code), { scope, until: now() + LINK_MS });
    return code;
  }

  /** Exchanges a link's code for the cookie of a new session; `undefined` for a code that is unknown, used or too old. */
  open(code: string): string | undefined {
    const { random, now } = this.#options;
    const digest = sha256(code);
    const link = this.#links.get(digest);
    this.#links.delete(digest);
    if (link === undefined || link.until < now()) {
      this.#failed();
      return undefined;
    }
    const cookie = random();
    dropOldest(this.#sessions, MOST_SESSIONS);
    this.#sessions.set(sha256(cookie), { scope: link.scope, csrf: random(), until: now() + SESSION_MS });
    return cookie;
  }

  /** The session of a browser's cookie. An unknown cookie is no attempt to guess: it may come from before a restart. */
  session(cookie: string): BrowserSession | undefined {
    const digest = sha256(cookie);
    const session = this.#sessions.get(digest);
    if (session === undefined) return undefined;
    if (session.until >= this.#options.now()) return session;
    this.#sessions.delete(digest);
    return undefined;
  }

  #failed(): void {
    const { now, onGuessing } = this.#options;
    const at = now();
    if (at - this.#wrongAt > QUIET_MS) this.#wrong = 0;
    this.#wrongAt = at;
    this.#wrong++;
    if (this.#wrong < WRONG_FREE || this.bannedMs > 0) return;
    const ban = Math.min(LONGEST_BAN_MS, FIRST_BAN_MS * 2 ** (this.#wrong - WRONG_FREE));
    this.#bannedUntil = at + ban;
    onGuessing?.(this.#wrong);
  }
}

/** Compares two texts in a time that does not depend on where they differ. */
export function same(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

/** Makes room for one more. */
function dropOldest(map: Map<string, unknown>, most: number): void {
  const oldest = map.keys().next().value;
  if (map.size >= most && oldest !== undefined) map.delete(oldest);
}
