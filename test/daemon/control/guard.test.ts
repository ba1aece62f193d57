/** By which names a daemon on the port of http itself is spoken to: clients leave that port out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, bearer, CONTROL, JSON_TYPE, openSurface, type Surface } from './fixture.js';

let surface: Surface;
beforeAll(async () => {
  surface = await openSurface({ namedPort: 80 });
});
afterAll(() => surface.close());

const pause = (headers: Readonly<Record<string, string>>) =>
  ask(surface, {
    method: 'POST',
    path: '/api/pause',
    headers: { ...JSON_TYPE, ...bearer(CONTROL), ...headers },
    body: '{"reason":"to see"}',
  });

describe('on port 80', () => {
  it.each([
    '127.0.0.1',
    'localhost',
    '[::1]',
  ])('%s is this machine with its port and without', async (name) => {
    for (const host of [name, `${name}:80`]) {
      expect((await pause({ host })).status).toBe(200);
      for (const origin of [`http://${name}`, `http://${name}:80`]) {
        expect((await pause({ host, origin })).status, `${host} ${origin}`).toBe(200);
      }
    }
  });

  it.each([
    { host: '127.0.0.1:8080' },
    { host: '127.0.0.1:' },
    { host: '127.0.0.1:80:80' },
    { host: 'evil.example' },
    { host: 'evil.example:80' },
    { host: '127.0.0.1', origin: 'http://evil.example' },
    { host: '127.0.0.1', origin: 'http://localhost' },
    { host: '127.0.0.1', origin: 'https://127.0.0.1' },
    { host: '127.0.0.1', origin: 'http://127.0.0.1:8080' },
    { host: '127.0.0.1', origin: 'http://127.0.0.1:80:80' },
    { host: '127.0.0.1', origin: 'null' },
  ])('nobody else is let in: %j', async (headers) => {
    expect([400, 403]).toContain((await pause(headers)).status);
  });
});
