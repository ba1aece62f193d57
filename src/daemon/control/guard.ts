/** Checks that an HTTP request on loopback must pass before anything else happens (`reliability.md` e.5). */
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { type Access, same, type Scope } from './access.js';

export interface GuardOptions {
  readonly access: Access;
  /** The only host names that a request may use, such as `127.0.0.1:8123`. Known once the server listens. */
  readonly hosts: () => readonly string[];
}

export type Env = {
  Bindings: Partial<HttpBindings>;
  Variables: { scope: Scope; by: string; csrf: string | undefined };
};

/** What needs no token. Not `HEAD /open`: whoever looks ahead at a link must not use it up. */
const OPEN_REQUESTS = new Set(['GET /healthz', 'HEAD /healthz', 'GET /open']);

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** Adds the security headers to every answer, errors included. */
export const secured: MiddlewareHandler<Env> = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.header(name, value);
};

/**
 * Browsers send a host's cookies to all of its ports: with the port in the name, two daemons do not get each other's
 * cookie.
 */
export function cookieName(hosts: readonly string[]): string {
  return `tickwright-${hosts[0]?.split(':').at(-1) ?? ''}`;
}

/** Refuses requests with a foreign host name, from a foreign page, and without a valid token or session. */
export function guarded({ access, hosts }: GuardOptions): MiddlewareHandler<Env> {
  return async (context, next) => {
    const names = hosts();
    const host = shortened(context.req.header('host') ?? '');
    // In a DNS rebinding attack, a foreign name resolves to this machine, and the browser sends that name as the host.
    if (!names.some((name) => shortened(name) === host))
      return refused(context, 403, 'the Host must be this machine');
    const site = context.req.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      return refused(context, 403, 'a request must not come from another site');
    }
    const origin = context.req.header('origin');
    if (origin !== undefined && shortened(origin) !== `http://${host}`) {
      return refused(context, 403, 'the Origin must be this machine');
    }
    const { path, method } = context.req;
    if (OPEN_REQUESTS.has(`${method} ${path}`)) {
      await next();
      return undefined;
    }
    const who = whoIs(context, access, cookieName(names));
    if (who === undefined) return nobody(context, access.bannedMs);
    context.set('scope', who.scope);
    context.set('by', who.by);
    context.set('csrf', who.csrf);
    if (method === 'GET' || method === 'HEAD') {
      await next();
      return undefined;
    }
    if (method !== 'POST') return refused(context, 405, 'the method must be GET or POST');
    if (who.scope !== 'control')
      return refused(context, 403, 'a control token is needed, received one to read with');
    const type = context.req.header('content-type') ?? '';
    if (!/^application\/json(\s*;|$)/.test(type)) {
      return refused(context, 415, 'the body must be application/json');
    }
    if (who.csrf !== undefined) {
      // A browser sends its cookie automatically, even for a forged request. Its page must prove more.
      if (origin === undefined) return refused(context, 403, 'the Origin must be this machine');
      const sent = context.req.header('x-control-token') ?? '';
      if (!same(sent, who.csrf)) return refused(context, 403, 'the X-Control-Token must be that of the page');
    }
    await next();
    return undefined;
  };
}

/** HTTP clients leave out the default port. */
function shortened(authority: string): string {
  return authority.replace(/:80$/, '');
}

interface Who {
  readonly scope: Scope;
  readonly by: string;
  /** Set for a browser's session only. */
  readonly csrf: string | undefined;
}

function whoIs(context: Context<Env>, access: Access, cookieIs: string): Who | undefined {
  const cookie = getCookie(context, cookieIs);
  const session = cookie === undefined ? undefined : access.session(cookie);
  if (session !== undefined) return { scope: session.scope, csrf: session.csrf, by: 'dashboard' };
  const bearer = /^Bearer ([\w-]{1,256})$/.exec(context.req.header('authorization') ?? '')?.[1];
  const scope = bearer === undefined ? undefined : access.scopeOf(bearer);
  return scope === undefined ? undefined : { scope, by: 'http', csrf: undefined };
}

/** The answer to an unknown caller: a page for a person, JSON for a program. */
function nobody(context: Context<Env>, bannedMs: number): Response {
  const accept = context.req.header('accept') ?? '';
  if (accept.includes('text/html')) return context.html(NOBODY, 401);
  if (bannedMs > 0 && context.req.header('authorization') !== undefined) {
    context.header('retry-after', String(Math.ceil(bannedMs / 1_000)));
    return refused(context, 429, 'too many wrong tokens: wait');
  }
  return refused(context, 401, 'a token is needed: tickwright open prints a link');
}

const NOBODY =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<title>tickwright</title><h1>This page needs a link</h1>' +
  '<p>Run <code>tickwright open</code> (with <code>--control</code> to pause and stop from here too) and open the ' +
  'link that it prints. It works once, within a minute; the page then stays open for twelve hours.</p></html>';

export function refused(
  context: Context<Env>,
  status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 503,
  error: string,
): Response {
  return context.json({ error }, status);
}
