/** A client of the venue with nothing but node:http and node:crypto: no code of ours. */
import { createHmac } from 'node:crypto';
import { request } from 'node:http';

export interface SeenOrder {
  readonly id: string;
  readonly pair: string;
  readonly side: string;
  readonly status: string;
  readonly price_orig: number;
  readonly qty_orig: number;
  readonly qty_remaining: number;
  readonly post_only: boolean;
  readonly oco: string | null;
}

/** What a client saw: it placed, read, listed and cancelled an order, and signed with the wrong secret. */
export interface Seen {
  readonly placed: SeenOrder;
  readonly read: SeenOrder;
  readonly listed: readonly string[];
  readonly after: SeenOrder;
  readonly left: readonly string[];
  readonly refusal: string | null;
}

export interface Visit {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  readonly pair: string;
  readonly price: string;
  readonly qty: string;
}

interface Envelope {
  readonly code: number;
  readonly msg: string;
  readonly result: unknown;
}

export async function visit({ url, key, secret, pair, price, qty }: Visit): Promise<Seen> {
  const get = (target: string) => exchange('GET', target, { 'x-api-key': key });
  const post = (path: string, fields: Record<string, string>, by = secret) => {
    const body = new URLSearchParams(fields).toString();
    return exchange(
      'POST',
      path,
      {
        'content-type': 'application/x-www-form-urlencoded',
        'x-api-key': key,
        'x-signature': createHmac('sha256', by).update(body).digest('base64'),
      },
      body,
    );
  };
  const idsOf = async () => resultOf<SeenOrder[]>(await get('/active_orders')).map(({ id }) => id);

  const timestamp = String(resultOf<number>(await get('/time')));
  const oco = 'any text: é & =';
  const order = { pair, side: 'BUY', price, qty, post_only: 'true', oco, timestamp };
  const { order: placed } = resultOf<{ order: SeenOrder }>(await post('/auth/order', order));
  const { id } = placed;
  const read = resultOf<SeenOrder>(await get(`/order?id=${id}`));
  const listed = await idsOf();
  resultOf(await post('/auth/cancel', { id }));
  const after = resultOf<SeenOrder>(await get(`/order?id=${id}`));
  const left = await idsOf();
  const stranger = await post('/auth/cancel', { id }, 'not the secret');
  return { placed, read, listed, after, left, refusal: stranger.code === 200 ? null : stranger.msg };

  async function exchange(
    method: string,
    target: string,
    headers: Record<string, string>,
    body = '',
  ): Promise<Envelope> {
    const text = await new Promise<string>((resolve, reject) => {
      const sent = request(new URL(target, url), { method, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
      });
      sent.on('error', reject);
      sent.end(body);
    });
    return JSON.parse(text) as Envelope;
  }
}

function resultOf<T>({ code, msg, result }: Envelope): T {
  if (code !== 200) throw new Error(`the venue refused: ${msg}`);
  return result as T;
}
