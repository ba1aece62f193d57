import { expect, it } from 'vitest';
import { hearVenue } from '../../../src/cli/daemon/hear-venue.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { cautious } from '../../../src/client/profile.js';
import { closedPort, httpServer } from '../../client/local-server.js';

const credentials = { apiKey: 'key', apiSecret: 'secret' };

async function hear(url: string) {
  return hearVenue(thisMachine('error'), { url, credentials, profile: cautious });
}

async function hearing(status: number, body: string, headers: Record<string, string> = {}) {
  const server = await httpServer((_, response) => response.writeHead(status, headers).end(body));
  try {
    return await hear(server.url);
  } finally {
    await server.close();
  }
}

it('a venue that answers is heard, one that is away is not', async () => {
  expect(await hearing(200, '{"code":200,"msg":"","result":{"balances":[]}}')).toEqual({ answers: true });
  expect(await hear(await closedPort())).toEqual({ answers: false, retryAfterMs: undefined });
});

it('one that refuses says how long it wants to be left alone', async () => {
  const body = '{"code":429,"msg":"too many requests","result":{}}';
  expect(await hearing(429, body, { 'retry-after': '90' })).toEqual({ answers: false, retryAfterMs: 90_000 });
  expect(await hearing(429, body)).toEqual({ answers: false, retryAfterMs: undefined });
});
