import { afterEach, describe, expect, it } from 'vitest';
import type { AlertReceiver } from '../../../src/config/alert-schema.js';
import { undiciTransport } from '../../../src/client/transport.js';
import { httpNotifier } from '../../../src/daemon/alerts/http-notifier.js';
import type { Notice } from '../../../src/daemon/alerts/notifier.js';
import { systemClock } from '../../../src/platform/clock.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { closedPort, httpServer, type Reply } from '../../client/local-server.js';

const NOTICE: Notice = {
  kind: 'venue',
  severity: 'critical',
  phase: 'begin',
  title: 'the venue <!channel> @everyone *does* not answer',
  lines: ['[click](http://x) & `code`'],
  // 2024-08-08 23:54:16 UTC
  time: 1_723_161_256_322,
  source: 'live my-bot',
};

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

async function sendTo(
  to: AlertReceiver,
  {
    path = '',
    token,
    reply = (_, response) => response.end('{}'),
  }: { path?: string; token?: string; reply?: Reply } = {},
) {
  const server = await httpServer(reply);
  closes.push(() => server.close());
  const delivery = await notifierFor(to, `${server.url}${path}`, token).send(NOTICE);
  const [request] = server.seen;
  return {
    delivery,
    url: request?.url,
    method: request?.method,
    headers: request?.headers,
    body: request === undefined ? {} : (JSON.parse(request.body) as Record<string, unknown>),
    count: server.seen.length,
  };
}

function notifierFor(to: AlertReceiver, url: string, token?: string) {
  const transport = undiciTransport({
    baseUrl: new URL(url).origin,
    clock: systemClock,
    timers: systemTimers,
    environment: {},
  });
  closes.push(() => transport.close());
  return httpNotifier({ name: to, to, address: { url, token, chat: '-1001' }, transport });
}

const TIME = '2024-08-08 23:54:16 UTC';

describe('a receiver gets a JSON document by POST', () => {
  it('of all facts: webhook', async () => {
    const { delivery, method, url, headers, body } = await sendTo('webhook', {
      path: '/hook/abc?key=1',
      token: 'bearer-token',
    });
    expect(delivery).toEqual({ kind: 'delivered' });
    expect([method, url]).toEqual(['POST', '/hook/abc?key=1']);
    expect(headers?.['content-type']).toBe('application/json');
    expect(headers?.authorization).toBe('Bearer bearer-token');
    expect(body).toEqual({
      schemaVersion: 1,
      ...NOTICE,
      text: `[CRITICAL] live my-bot: ${NOTICE.title}\n${NOTICE.lines[0]}\n${TIME}`,
    });
  });

  it('in which nothing calls everybody: slack', async () => {
    const { body } = await sendTo('slack', { path: '/services/T/B/secret' });
    expect(Object.keys(body)).toEqual(['text']);
    expect(body['text']).toContain('the venue &lt;!channel&gt; @everyone');
    expect(body['text']).toContain('(http://x) &amp; `code`');
  });

  it('in which nobody is mentioned and nothing is formatted: discord', async () => {
    const { body } = await sendTo('discord');
    expect(body['allowed_mentions']).toEqual({ parse: [] });
    const content = body['content'] as string;
    // What a reader sees is the text without the backslashes.
    expect(content.replaceAll(/\\(.)/g, '$1')).toBe(
      `[CRITICAL] live my-bot: ${NOTICE.title}\n${NOTICE.lines[0]}\n${TIME}`,
    );
    expect(content).not.toMatch(/(?<!\\)[*_~`<@[]/);
  });

  it('for the topic of the address, with a priority: ntfy', async () => {
    const { url, body, headers } = await sendTo('ntfy', { path: '/base/my-topic', token: 'tk_1' });
    expect(url).toBe('/base/');
    expect(headers?.authorization).toBe('Bearer tk_1');
    expect(body).toEqual({
      topic: 'my-topic',
      title: `[CRITICAL] live my-bot: ${NOTICE.title}`,
      message: `${NOTICE.lines[0]}\n${TIME}`,
      priority: 5,
      tags: ['critical'],
    });
  });

  it('for a topic with a sign that an address cannot have: ntfy', async () => {
    const { url, body } = await sendTo('ntfy', { path: '/up-5%25' });
    expect([url, body['topic']]).toEqual(['/', 'up-5%']);
  });

  it('unless no document can be made for its address: none is sent, nor ever will be', async () => {
    const { delivery, count } = await sendTo('ntfy', { path: '/secret-5%' });
    expect(delivery).toEqual({ kind: 'refused', reason: 'no message can be made for its address' });
    expect(count).toBe(0);
  });

  it('as plain text to a chat, the token in the address alone: telegram', async () => {
    const { url, body, headers } = await sendTo('telegram', { token: '123:abc' });
    expect(url).toBe('/bot123:abc/sendMessage');
    expect(headers?.authorization).toBeUndefined();
    expect(body['chat_id']).toBe('-1001');
    expect(body).not.toHaveProperty('parse_mode');
    expect(body['text']).toContain(NOTICE.title);
  });
});

describe('what a receiver answers', () => {
  const answering =
    (status: number, headers: Record<string, string> = {}): Reply =>
    (_, response) => {
      response.writeHead(status, headers);
      response.end('token=abc is wrong');
    };

  it.each([
    [204, { kind: 'delivered' }],
    [302, { kind: 'refused', reason: 'it answers with status 302' }],
    [403, { kind: 'refused', reason: 'it answers with status 403' }],
    [500, { kind: 'failed', reason: 'it answers with status 500', retryAfterMs: undefined }],
  ])('status %i: %o, and it is asked once', async (status, expected) => {
    const { delivery, count } = await sendTo('webhook', { reply: answering(status) });
    expect(delivery).toEqual(expected);
    expect(count).toBe(1);
  });

  it.each([
    ['3', 3_000],
    ['0.5', 500],
    ['999999', 3_600_000],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    ['-1', undefined],
  ])('429 with Retry-After %s: again after %s ms', async (text, retryAfterMs) => {
    const { delivery } = await sendTo('webhook', { reply: answering(429, { 'retry-after': text }) });
    expect(delivery).toEqual({ kind: 'failed', reason: 'it answers with status 429', retryAfterMs });
  });

  it.each([
    [200, 'breaks off', { kind: 'delivered' }],
    [200, 'is longer than anything that is read', { kind: 'delivered' }],
    [403, 'breaks off', { kind: 'refused', reason: 'it answers with status 403' }],
    [503, 'breaks off', { kind: 'failed', reason: 'it answers with status 503', retryAfterMs: undefined }],
  ])('counts by its status %i, though the rest %s', async (status, end, expected) => {
    const { delivery } = await sendTo('webhook', {
      reply(_, response) {
        response.writeHead(status, { 'content-length': 10_000_000 });
        if (end === 'breaks off') response.write('begun', () => response.destroy());
        else response.end(Buffer.alloc(10_000_000));
      },
    });
    expect(delivery).toEqual(expected);
  });

  it('is nothing where nobody listens, and the address is not in the reason', async () => {
    const url = await closedPort();
    const delivery = await notifierFor('telegram', url, 'secret-token').send(NOTICE);
    expect(delivery).toEqual({
      kind: 'failed',
      reason: 'no answer: refused (ECONNREFUSED)',
      retryAfterMs: undefined,
    });
  });

  it('is nothing where the connection cannot be made safe, which is no closed port', async () => {
    const server = await httpServer((_, response) => response.end());
    closes.push(() => server.close());
    const url = server.url.replace('http:', 'https:');
    expect(await notifierFor('webhook', `${url}/secret`).send(NOTICE)).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/^no answer: refused \((EPROTO|ERR_SSL_\w+)\)$/) as string,
    });
  });
});
