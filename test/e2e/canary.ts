/** A venue behind a wire that hears everything, breaks, and repeats secrets; and a search for them in all that is left. */
import { readdir, readFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export const CANARY = { key: 'canary-key+5a1f', secret: 'canary/secret+c0ffee=7b&"x' } as const;

export interface Wire {
  readonly url: string;
  /** Every signature that the bot has sent. */
  readonly signatures: ReadonlySet<string>;
  /** Requests with the key. */
  readonly keyed: () => number;
  close(): void;
}

/** Every so many orders one is answered with its own headers, and every so many requests the connection breaks. */
const ECHO_EVERY = 3;
const BREAK_EVERY = 97;

export async function tappedWire(venueUrl: string): Promise<Wire> {
  const { hostname, port } = new URL(venueUrl);
  const signatures = new Set<string>();
  let keyed = 0;
  let orders = 0;
  let count = 0;
  const server: Server = createServer((incoming: IncomingMessage, answer: ServerResponse) => {
    const key = incoming.headers['x-api-key'];
    const signature = incoming.headers['x-signature'];
    if (key === CANARY.key) keyed++;
    if (typeof signature === 'string') signatures.add(signature);
    const isOrder = incoming.url === '/auth/order';
    if (isOrder && orders++ % ECHO_EVERY === 0) {
      const text = `insufficient balance: key ${String(key)} with ${String(signature)} (${encodeURIComponent(String(signature))})`;
      answer.writeHead(400, { 'content-type': 'application/json', 'x-request-id': String(signature) });
      answer.end(JSON.stringify({ code: 400, msg: text, result: null, headers: incoming.headers }));
      return;
    }
    if (++count % BREAK_EVERY === 0) {
      incoming.socket.destroy();
      return;
    }
    const { method, url, headers } = incoming;
    const out = request({ hostname, port, method, path: url, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    out.on('error', () => incoming.socket.destroy());
    incoming.pipe(out);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signatures,
    keyed: () => keyed,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A secret in all the clothes that it may wear. */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last characters hold bits of what stands around it.
    return text.slice(before === 0 ? 0 : before + 1, -1);
  });
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** Every file below a folder as text, unpacked where it is packed. */
export async function artefactsIn(folder: string): Promise<readonly { name: string; text: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async (entry) => {
      const name = join(entry.parentPath, entry.name);
      const bytes = await readFile(name);
      return { name, text: (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1') };
    }),
  );
}

/** Where a secret stands, and in which of its forms. */
export function leaks(
  artefacts: readonly { readonly name: string; readonly text: string }[],
  secrets: Iterable<string>,
): readonly string[] {
  const forms = [...secrets].flatMap(formsOf);
  return artefacts.flatMap(({ name, text }) =>
    forms.filter((form) => text.includes(form)).map((form) => `${name}: ${form}`),
  );
}
