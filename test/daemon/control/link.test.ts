import { afterEach, describe, expect, it } from 'vitest';
import type { Asset } from '../../../src/daemon/control/control-app.js';
import { askSocket } from '../../../src/platform/socket-request.js';
import { openSurface, type Surface } from './fixture.js';

const PAGE: Asset = { type: 'text/html; charset=utf-8', bytes: Uint8Array.from(Buffer.from('<p>the page')) };

let surface: Surface | undefined;
afterEach(() => surface?.close());

async function link(assets?: ReadonlyMap<string, Asset>) {
  surface = await openSurface({ assets });
  const { socket } = surface;
  const body = JSON.stringify({ control: false });
  const answer = await askSocket({ socket, method: 'POST', path: '/api/link', body, timeoutMs: 5_000 });
  return { status: answer?.status, document: JSON.parse(answer?.body ?? '') as Record<string, string> };
}

describe('a link', () => {
  it('leads to the page', async () => {
    const { status, document } = await link(new Map([['/', PAGE]]));
    expect(status).toBe(200);
    const opened = await fetch(document['url'] ?? '', { redirect: 'manual' });
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/']);
  });

  it('is not made where there is no page', async () => {
    const { status, document } = await link();
    expect([status, document['error']]).toEqual([
      400,
      'control.dashboard must be true for a link, received false',
    ]);
  });
});
