/** Who may ask what over HTTP (`reliability.md` e.5): tokens, sessions of browsers, one-time links, and their failures. */
import { sha256 } from '../../model/digest.js';

export type Scope = 'read' | 'control';

export interface AccessOptions {
  readonly readToken: string;
  readonly controlToken: string;
  /** 256 random bits as text, each time. */
  readonly random: () => string;
  /** Monotonic ms. */
  readonly now: () => number;
}

/** A browser that opened a one-time link. */
export interface BrowserSession {
  readonly scope: Scope;
  /** What its page must send with every change, besides its cookie. */
  readonly csrf: string;
}

const LINK_MS = 60_000;
const SESSION_MS = 12 * 3_600_000;
const MOST_SESSIONS = 16;
/** So many wrong tokens, and nobody is listened to for a while: longer each time. */
const WRONG_FREE = 5;
const FIRST_BAN_MS = 1_000;
const LONGEST_BAN_MS = 300_000;

/**
 * Secrets are compared by their digests: how long that takes says nothing about them. The Unix socket, which only this
 * user can open, is not asked for any.
 */
export class Access {
  readonly #options: AccessOptions;
  readonly #digests: Readonly<Record<Scope, string>>;
  /** By the digest of the code. */
  readonly #links = new Map<string, { readonly scope: Scope; readonly until: number }>();
  /** By the digest of the cookie. */
  readonly #sessions = new Map<string, BrowserSession & { readonly until: number }>();
  #wrong = 0;
  #bannedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#digests = { read: sha256(options.readToken), control: sha256(options.controlToken) };
  }

  /** How long nobody who is not known is listened to, ms; 0 when they are. */
  get bannedMs(): number {
    return Math.max(0, this.#bannedUntil - this.#options.now());
  }

  /** What a bearer token allows; `undefined` counts as an attempt to guess one. */
  scopeOf(token: string): Scope | undefined {
    const digest = sha256(token);
    if (same(digest, this.#digests.control)) return 'control';
    if (same(digest, this.#digests.read)) return 'read';
    this.#failed();
    return undefined;
  }

  /** For `tickwright open`: works once, within a minute. */
  link(scope: Scope): string {
    const { random, now } = this.#options;
    for (const [digest, { until }] of this.#links) if (until < now()) this.#links.delete(digest);
    const code = random();
    this.#links.set(sha256(code), { scope, until: now() + LINK_MS });
    return code;
  }

  /** The cookie of a new session; `undefined` for a code that does not hold. */
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
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size >= MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    this.#sessions.set(sha256(cookie), { scope: link.scope, csrf: random(), until: now() + SESSION_MS });
    return cookie;
  }

  /** Of a browser's cookie. One that is unknown is no attempt: daemons end, and browsers remember. */
  session(cookie: string): BrowserSession | undefined {
    const digest = sha256(cookie);
    const session = this.#sessions.get(digest);
    if (session === undefined) return undefined;
    if (session.until >= this.#options.now()) return session;
    this.#sessions.delete(digest);
    return undefined;
  }

  #failed(): void {
    this.#wrong++;
    if (this.#wrong < WRONG_FREE) return;
    const ban = Math.min(LONGEST_BAN_MS, FIRST_BAN_MS * 2 ** (this.#wrong - WRONG_FREE));
    this.#bannedUntil = this.#options.now() + ban;
  }
}

/** In a time that does not depend on where two texts of one length differ. */
export function same(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
