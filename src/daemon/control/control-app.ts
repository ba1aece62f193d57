/** The routes of the daemon, over its Unix socket and over HTTP on loopback. */
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { streamSSE } from 'hono/streaming';
import type { HaltLevel } from '../../model/journal-record.js';
import type { DaemonStatus, StopLevel } from '../daemon-api.js';
import type { Access, Scope } from './access.js';
import { COOKIE, type Env, guarded, refused, secured } from './guard.js';
import { metricsText } from './metrics.js';
import { CallRefused, EngineSilent, HUNG_MS, type RemoteDaemon } from './remote-daemon.js';

/** A file of the dashboard. */
export interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface ControlAppOptions {
  readonly daemon: RemoteDaemon;
  readonly access: Access;
  /** `socket`: only this user can open it, nothing else is asked. */
  readonly door: 'socket' | 'http';
  readonly hosts: () => readonly string[];
  /** By path; `/` is the page. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The newest runs of the backtest gallery, as JSON. */
  readonly runs: () => Promise<readonly unknown[]>;
  readonly run: (id: string) => Promise<unknown>;
}

const MOST_BODY_BYTES = 65_536;
const MOST_STREAMS = 8;
/** What a slow reader may have waiting, messages. */
const MOST_WAITING = 256;
const MOST_ROWS = 5_000;
const MOST_TEXT = 500;
const LEVELS: readonly HaltLevel[] = ['pause', 'cancel', 'flatten', 'stop'];
const STOPS: readonly StopLevel[] = ['leave', 'cancel', 'flat'];

export function controlApp(options: ControlAppOptions): Hono<Env> {
  const { daemon, access, door, hosts, assets, runs, run } = options;
  const app = new Hono<Env>();
  let streams = 0;
  app.use(secured);
  app.use(
    bodyLimit({
      maxSize: MOST_BODY_BYTES,
      onError: (context) => context.json({ error: 'the body is too large' }, 413),
    }),
  );
  if (door === 'http') app.use(guarded({ access, hosts }));
  else {
    app.use(async (context, next) => {
      context.set('scope', 'control');
      context.set('by', 'cli');
      await next();
    });
  }
  app.onError((error, context) => {
    if (error instanceof EngineSilent) return refused(context, 503, error.message);
    if (error instanceof CallRefused) return refused(context, error.isUsage ? 400 : 503, error.message);
    if (error instanceof BadRequest) return refused(context, 400, error.message);
    return refused(context, 503, 'the control thread failed at this request');
  });
  app.notFound((context) => refused(context, 404, 'there is nothing here'));

  app.get('/healthz', (context) => {
    const { silentMs } = daemon;
    const isAlive = silentMs <= HUNG_MS;
    return context.json({ alive: isAlive, silentMs: Math.round(silentMs) }, isAlive ? 200 : 503);
  });
  app.get('/readyz', async (context) => {
    const status = await daemon.status();
    const reasons = notReady(status);
    return context.json({ ready: reasons.length === 0, reasons }, reasons.length === 0 ? 200 : 503);
  });
  app.get('/metrics', async (context) => {
    context.header('content-type', 'text/plain; version=0.0.4; charset=utf-8');
    return context.body(await metricsText(await daemon.status(), daemon.silentMs));
  });
  app.get('/api/status', async (context) => {
    const status = await daemon.status();
    return status === undefined
      ? refused(context, 503, 'the daemon has not said anything yet')
      : context.json(status);
  });
  app.get('/api/session', (context) => {
    const csrf = context.get('csrf');
    const scope: Scope = context.get('scope');
    return context.json({ scope, ...(scope === 'control' && csrf !== undefined ? { csrf } : {}) });
  });
  app.get('/api/candles', async (context) => {
    const pair = context.req.query('pair') ?? '';
    return context.json(await daemon.call('candles', pair, rows(context)));
  });
  app.get('/api/recent', async (context) => {
    const kind = context.req.query('kind') ?? '';
    if (kind !== 'fill' && kind !== 'log' && kind !== 'equity') {
      throw new BadRequest('kind must be one of fill, log, equity');
    }
    return context.json(await daemon.call('recent', kind, rows(context)));
  });
  app.get('/api/runs', async (context) => context.json(await runs()));
  app.get('/api/runs/:id', async (context) => {
    const found = /^[\w-]{1,64}$/.test(context.req.param('id'))
      ? await run(context.req.param('id'))
      : undefined;
    return found === undefined
      ? refused(context, 404, 'there is no such run')
      : context.json(found as object);
  });
  app.get('/api/events', (context) => {
    if (streams >= MOST_STREAMS) return refused(context, 429, `at most ${MOST_STREAMS} may listen at once`);
    streams++;
    return streamSSE(context, async (stream) => {
      const waiting: string[] = [];
      let wake: () => void = () => undefined;
      let isOver = false;
      const end = () => {
        isOver = true;
        wake();
      };
      const release = daemon.listen((message) => {
        waiting.push(JSON.stringify(message));
        // Who reads slower than things happen is not waited for.
        if (waiting.length > MOST_WAITING) end();
        wake();
      });
      stream.onAbort(end);
      try {
        const status = await daemon.status();
        if (status !== undefined) waiting.unshift(JSON.stringify(status));
        while (!isOver) {
          const data = waiting.shift();
          if (data !== undefined) await stream.writeSSE({ data });
          else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        release();
        streams--;
      }
    });
  });

  const change = (
    path: string,
    does: (body: Readonly<Record<string, unknown>>, by: string) => Promise<object>,
  ) => app.post(path, async (context) => context.json(await does(await bodyOf(context), context.get('by'))));
  change('/api/pause', async (body, by) => {
    await daemon.call('pause', { by, reason: text(body, 'reason') });
    return { paused: true };
  });
  change('/api/resume', async (body, by) => {
    const level = oneOf(body, 'level', LEVELS);
    confirmed(body, level, door);
    await daemon.call('resume', { by: nameOf(body, by), reason: text(body, 'reason'), level });
    return { resumed: true };
  });
  change('/api/cancel', async (body, by) => {
    await daemon.call('cancelAll', { by, reason: text(body, 'reason') });
    return { canceled: true };
  });
  change('/api/flatten', async (body, by) => {
    confirmed(body, 'flatten', door);
    await daemon.call('flatten', { by, reason: text(body, 'reason') });
    return { flattens: true };
  });
  change('/api/stop', async (body, by) => {
    const level = oneOf(body, 'level', STOPS);
    confirmed(body, level, door);
    await daemon.call('stop', level, { by, reason: text(body, 'reason') });
    return { stops: level };
  });
  change('/api/set', async (body, by) => {
    const { params, pair } = body;
    if (typeof pair !== 'string') throw new BadRequest('pair must be a text');
    if (!isTexts(params)) throw new BadRequest('params must be texts by name');
    const dryRun = body['dryRun'] === true;
    return daemon.call('set', pair, params, { by, reason: text(body, 'reason'), dryRun });
  });
  if (door === 'socket') {
    change('/api/link', (body) => {
      const [host] = hosts();
      if (host === undefined)
        throw new BadRequest('control.http must be configured for a dashboard, received none');
      const code = access.link(body['control'] === true ? 'control' : 'read');
      return Promise.resolve({ url: `http://${host}/open?code=${code}` });
    });
  } else {
    app.get('/open', (context) => {
      if (access.bannedMs > 0) return refused(context, 429, 'too many wrong codes: wait');
      const cookie = access.open(context.req.query('code') ?? '');
      if (cookie === undefined)
        return refused(context, 401, 'this link was used or is too old: tickwright open makes another');
      context.header('set-cookie', `${COOKIE}=${cookie}; HttpOnly; SameSite=Strict; Path=/`);
      return context.redirect('/', 303);
    });
  }
  app.get('*', (context) => {
    const asset = assets.get(context.req.path);
    if (asset === undefined) return context.notFound();
    context.header('content-type', asset.type);
    return context.body(asset.bytes);
  });
  return app;
}

class BadRequest extends Error {}

/** Why the daemon is not to be relied on now; from what it says at this moment. */
export function notReady(status: DaemonStatus | undefined): readonly string[] {
  if (status === undefined) return ['the daemon has not said anything yet'];
  const { state, pairs } = status;
  return [
    ...(state === 'running' ? [] : [`the daemon is ${state}`]),
    ...pairs.flatMap(({ pair, running, state: where, reason, pollAgeMs }) => [
      ...(running ? [] : [`${pair} does not run`]),
      ...(running && where !== 'SYNCED' ? [`${pair} is ${where}: ${reason}`] : []),
      ...(running && (pollAgeMs === undefined || pollAgeMs > 15_000) ? [`${pair} has no fresh data`] : []),
    ]),
  ];
}

async function bodyOf(context: Context<Env>): Promise<Readonly<Record<string, unknown>>> {
  let body: unknown;
  try {
    body = JSON.parse(await context.req.text());
  } catch {
    throw new BadRequest('the body must be JSON');
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new BadRequest('the body must be a JSON object');
}

function text(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, MOST_TEXT);
  throw new BadRequest(`${name} must be a text that is not empty`);
}

function nameOf(body: Readonly<Record<string, unknown>>, by: string): string {
  const { by: name } = body;
  return typeof name === 'string' && name.trim() !== '' ? `${by} ${name.trim().slice(0, 64)}` : by;
}

/** What destroys or frees must be typed back by the page that asks for it; the command line asks by itself. */
function confirmed(body: Readonly<Record<string, unknown>>, word: string, door: 'socket' | 'http'): void {
  if (door === 'http' && body['confirm'] !== word) throw new BadRequest(`confirm must be '${word}'`);
}

function oneOf<Word extends string>(
  body: Readonly<Record<string, unknown>>,
  name: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === body[name]);
  if (found === undefined) throw new BadRequest(`${name} must be one of ${words.join(', ')}`);
  return found;
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => typeof each === 'string')
  );
}

function rows(context: Context<Env>): number {
  const n = Number(context.req.query('n') ?? 100);
  if (!Number.isSafeInteger(n) || n < 1) throw new BadRequest('n must be a whole number of at least 1');
  return Math.min(n, MOST_ROWS);
}
