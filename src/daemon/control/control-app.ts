/** The routes of the daemon, over its Unix socket and over HTTP on loopback. */
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { RecentKind } from '../daemon-api.js';
import type { Access, Scope } from './access.js';
import { addChanges } from './changes.js';
import { eventStream } from './event-stream.js';
import { cookieName, type Env, guarded, refused, secured } from './guard.js';
import { metricsText } from './metrics.js';
import { notReady } from './readiness.js';
import { CallRefused, EngineSilent, HUNG_MS, type RemoteDaemon, StillUnderWay } from './remote-daemon.js';
import { BadRequest, RequestFields } from './request-fields.js';

/** A file of the dashboard. */
export interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface ControlAppOptions {
  readonly daemon: RemoteDaemon;
  readonly access: Access;
  /** On the `socket` no token is needed, because only this user can open it. */
  readonly door: 'socket' | 'http';
  /** Host names by which clients may address the server; the first one is used in links. */
  readonly hosts: () => readonly string[];
  /** Why there is no HTTP at present though it is configured, in words. */
  readonly shut: () => string | undefined;
  /** Files of the dashboard by path; `/` is the page itself. `undefined`: no dashboard. */
  readonly assets: ReadonlyMap<string, Asset> | undefined;
  /** The newest runs of the backtest gallery, as JSON. */
  readonly runs: () => Promise<readonly unknown[]>;
  readonly run: (id: string) => Promise<unknown>;
  readonly after: (ms: number, task: () => void) => () => void;
  /** Called for errors that belong to no request. */
  readonly onProblem: (text: string) => void;
}

const MOST_BODY_BYTES = 65_536;
const MOST_STREAMS = 8;
const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };
const MOST_ROWS = 5_000;
const RECENT: readonly RecentKind[] = ['fill', 'log', 'equity', 'refusal', 'change'];

export function controlApp(options: ControlAppOptions): Hono<Env> {
  const { daemon, access, door, hosts, shut, assets, runs, run, after, onProblem } = options;
  const app = new Hono<Env>();
  app.use(secured);
  if (door === 'http') app.use(guarded({ access, hosts }));
  else {
    app.use(async (context, next) => {
      context.set('scope', 'control');
      context.set('by', 'cli');
      await next();
    });
  }
  app.use(
    bodyLimit({
      maxSize: MOST_BODY_BYTES,
      onError: (context) => context.json({ error: 'the body is too large' }, 413, { connection: 'close' }),
    }),
  );
  app.onError((error, context) => {
    if (error instanceof EngineSilent || error instanceof StillUnderWay)
      return refused(context, 503, error.message);
    if (error instanceof CallRefused) return refused(context, error.isUsage ? 400 : 503, error.message);
    if (error instanceof BadRequest) return refused(context, 400, error.message);
    onProblem(`a request failed in the control thread: ${error.message}`);
    return refused(context, 503, 'the control thread failed at this request');
  });
  app.notFound((context) => refused(context, 404, 'there is nothing here'));

  app.get('/healthz', (context) => {
    const { silentMs } = daemon;
    const isAlive = silentMs <= HUNG_MS;
    return context.json({ alive: isAlive, silentMs: Math.round(silentMs) }, isAlive ? 200 : 503);
  });
  app.get('/readyz', async (context) => {
    const status = await daemon.freshStatus();
    const reasons = status === undefined ? ['the engine does not answer'] : notReady(status);
    return context.json({ ready: reasons.length === 0, reasons }, reasons.length === 0 ? 200 : 503);
  });
  app.get('/metrics', async (context) => {
    const { silentMs } = daemon;
    const text = await metricsText(await daemon.freshStatus(), silentMs);
    context.header('content-type', 'text/plain; version=0.0.4; charset=utf-8');
    return context.body(text);
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
    const kind = RECENT.find((each) => each === context.req.query('kind'));
    if (kind === undefined) throw new BadRequest(`kind must be one of ${RECENT.join(', ')}`);
    return context.json(await daemon.call('recent', kind, rows(context)));
  });
  app.get('/api/runs', async (context) => context.json(await runs()));
  app.get('/api/runs/:id', async (context) => {
    const id = context.req.param('id');
    const found = /^[\w-]{1,64}$/.test(id) ? await run(id) : undefined;
    return found === undefined
      ? refused(context, 404, 'there is no such run')
      : context.json(found as object);
  });
  addEvents(app, { daemon, after });
  addChanges(app, { daemon, door });
  if (door === 'socket') {
    app.post('/api/link', async (context) => {
      const fields = await RequestFields.of(context, ['control']);
      const [host] = hosts();
      if (host === undefined)
        throw new BadRequest(shut() ?? 'control.http must be configured for a dashboard, received none');
      if (assets === undefined)
        throw new BadRequest('control.dashboard must be true for a link, received false');
      const code = access.link(fields.flag('control') ? 'control' : 'read');
      return context.json({ url: `http://${host}/open?code=${code}` });
    });
  } else {
    app.get('/open', (context) => {
      const cookie = access.open(context.req.query('code') ?? '');
      if (cookie === undefined)
        return refused(context, 401, 'this link was used or is too old: tickwright open makes another');
      const name = cookieName(hosts());
      context.header('set-cookie', `${name}=${cookie}; HttpOnly; SameSite=Strict; Path=/`);
      return context.redirect('/', 303);
    });
  }
  app.get('*', (context) => {
    const asset = assets?.get(context.req.path);
    if (asset === undefined) return context.notFound();
    context.header('content-type', asset.type);
    return context.body(asset.bytes);
  });
  return app;
}

function addEvents(app: Hono<Env>, { daemon, after }: Pick<ControlAppOptions, 'daemon' | 'after'>): void {
  let streams = 0;
  app.get('/api/events', async (context) => {
    // A HEAD request gets no body: its stream would never be read, and never be closed.
    if (context.req.method === 'HEAD') return context.body(null, 200, EVENT_STREAM);
    if (streams >= MOST_STREAMS) return refused(context, 429, `at most ${MOST_STREAMS} may listen at once`);
    streams++;
    let first: Awaited<ReturnType<RemoteDaemon['status']>>;
    try {
      first = await daemon.status();
    } catch (error) {
      streams--;
      throw error;
    }
    const stream = eventStream({
      first,
      listen: (listener) => daemon.listen(listener),
      after,
      drop: () => context.env.outgoing?.destroy(),
      onEnd: () => streams--,
    });
    return context.body(stream, 200, EVENT_STREAM);
  });
}

function rows(context: Context<Env>): number {
  const n = Number(context.req.query('n') ?? 100);
  if (!Number.isSafeInteger(n) || n < 1) throw new BadRequest('n must be a whole number of at least 1');
  return Math.min(n, MOST_ROWS);
}
