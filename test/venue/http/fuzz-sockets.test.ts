/** Bytes of every kind on the venue's sockets: what no HTTP library would send. */
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { seededRandom } from '../../../src/model/random.js';
import { startVenueServer, type VenueServer } from '../../../src/venue/http/server.js';
import { Dice } from './fuzz-dice.js';
import { type Conversation, conversation } from './fuzz-heads.js';
import { differenceOf, FuzzVenue, KEYS, stateOf } from './fuzz-venue.js';

const CONVERSATIONS = 4_000;
const AT_ONCE = 8;
/** Real ms: nothing here takes a hundredth of it. */
const DEADLINE_MS = 10_000;

const servers: VenueServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start() {
  const { core, time } = new FuzzVenue();
  const server = await startVenueServer({
    core,
    drivers: [],
    clock: time,
    timers: time,
    accounts: KEYS,
    port: 0,
  });
  servers.push(server);
  return { server, core };
}

/** Writes, ends its half, and gives all that came until the other half ended; a reset is an error. */
function converse(port: number, writes: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const chunks: Buffer[] = [];
    let at = 0;
    const next = () => {
      if (socket.destroyed || !socket.writable) return;
      const text = writes[at++];
      if (text === undefined) socket.end();
      else
        socket.write(text, 'latin1', (error) =>
          error === undefined || error === null ? setImmediate(next) : undefined,
        );
    };
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error('no end of the connection in time')));
    socket.on('connect', next);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) =>
      reject(new Error(`${String(error)} after ${Buffer.concat(chunks).toString('latin1')}`)),
    );
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}

interface Answer {
  readonly status: number;
  readonly code: number;
  readonly msg: string;
  /** The server says that it is the last one. */
  readonly isLast: boolean;
}

/** The answers in a stream of bytes. @throws Error when it holds anything else than whole envelopes */
function answersIn(stream: string): Answer[] {
  const answers: Answer[] = [];
  let rest = stream;
  while (rest !== '') {
    const [, status, headers] =
      /^HTTP\/1\.1 (\d{3}) [\w ]+\r\n((?:[\w-]+: [^\r\n]*\r\n)+)\r\n/.exec(rest) ?? [];
    if (status === undefined || headers === undefined) throw new Error(`must be an answer: ${rest}`);
    const length = Number(/^content-length: (\d+)\r$/im.exec(headers)?.[1]);
    if (!/^content-type: application\/json; charset=utf-8\r$/im.test(headers))
      throw new Error(`must be JSON: ${rest}`);
    const from = rest.indexOf('\r\n\r\n') + 4;
    const envelope = JSON.parse(rest.slice(from, from + length)) as Record<string, unknown>;
    if (Object.keys(envelope).join(' ') !== 'code msg result')
      throw new Error(`must be an envelope: ${rest}`);
    answers.push({
      status: Number(status),
      code: envelope['code'] as number,
      msg: String(envelope['msg']),
      isLast: /^connection: close\r$/im.test(headers),
    });
    rest = rest.slice(from + length);
  }
  return answers;
}

const NOTHING = { code: 0, msg: 'nothing' };

async function judge(port: number, { writes, ids, rest }: Conversation): Promise<Answer[]> {
  const answers = answersIn(await converse(port, writes));
  for (const [at, id] of ids.entries()) {
    const { code, msg } = answers[at] ?? NOTHING;
    if (code !== 503 || !msg.startsWith('The order was not found') || !msg.includes(id)) {
      throw new Error(`answer ${at + 1} must be about order ${id}, received ${msg}`);
    }
  }
  const more = answers.slice(ids.length);
  const least = answers.at(-1)?.isLast === true ? Math.min(1, rest[0]) : rest[0];
  if (more.length < least || more.length > rest[1]) {
    throw new Error(`must be followed by ${rest.join(' to ')} answers, received ${JSON.stringify(more)}`);
  }
  return more;
}

test(
  '4 000 conversations in bad HTTP end with an envelope each, good requests in them have their own answers',
  {
    timeout: 120_000,
  },
  async () => {
    const { server, core } = await start();
    const before = stateOf(core, []);
    const dice = new Dice(seededRandom('heads'));
    const said = new Map<string, number>();
    const faults: string[] = [];
    for (let round = 0; round < CONVERSATIONS / AT_ONCE; round++) {
      const conversations = Array.from({ length: AT_ONCE }, (_, at) =>
        conversation(dice, round * AT_ONCE + at + 1),
      );
      await Promise.all(
        conversations.map(async (each) => {
          try {
            for (const { status, msg } of await judge(server.port, each)) {
              const what = `${status} ${/^[\w -]+/.exec(msg)?.[0] ?? msg}`;
              said.set(what, (said.get(what) ?? 0) + 1);
            }
          } catch (error) {
            faults.push(
              `${String(error).slice(0, 600)}\n  for ${JSON.stringify(each.writes.join('').slice(-700))}, ${each.writes.length} writes`,
            );
          }
        }),
      );
      // The server goes on.
      const [time] = answersIn(await converse(server.port, ['GET /time HTTP/1.1\r\nHost: x\r\n\r\n']));
      expect(time?.status).toBe(200);
    }
    expect(faults.slice(0, 12).join('\n\n')).toBe('');
    expect(differenceOf(before, stateOf(core, []))).toBeUndefined();
    expect(said.get('503 malformed')).toBeGreaterThan(CONVERSATIONS / 2);
  },
);
