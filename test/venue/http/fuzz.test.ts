/** Requests of every kind, right and wrong, at the whole venue without its sockets; those are in fuzz-sockets.test.ts. */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../src/model/random.js';
import { isDefiniteRefusal, tickwright } from '../../../src/client/profile.js';
import { REFUSALS, refusalRule } from '../../../src/venue/core/refusals.js';
import { ADMIN_ENDPOINTS } from '../../../src/venue/http/admin-endpoints.js';
import { ENDPOINTS } from '../../../src/venue/http/routes.js';
import type { WireAnswer, WireRequest } from '../../../src/venue/http/wire.js';
import { brokenLaws } from '../core/laws.js';
import { Dice } from './fuzz-dice.js';
import { type Draft, Grammar } from './fuzz-grammar.js';
import { requestOf } from './fuzz-mutations.js';
import { differenceOf, FuzzVenue, KEYS, stateOf, type Value } from './fuzz-venue.js';

const VENUES = 25;
/** Of each venue, without those at the admin door. */
const REQUESTS = 4_000;
const LAWS_EVERY = 100;

const ROUTES = new Map(ENDPOINTS.map((endpoint) => [endpoint.path, endpoint]));
/** HTTP status of each code of an envelope. */
const STATUS = new Map([
  [200, 200],
  [503, 503],
  [414, 408],
  [429, 429],
]);
/** The longest that a refusal may be: a venue does not send back what was thrown at it. */
const LONGEST_MSG = 600;
const FAR = 1_000;
/** What cannot succeed without a trace: were there none, then the state that is compared would not be all of it. */
const MOVING = new Set([
  '/auth/order',
  '/auth/order/bulk',
  '/auth/close',
  '/auth/cancel',
  '/auth/withdraw',
  '/fund',
  '/draw',
  '/deposit',
  '/deposit/confirm',
  '/withdrawal/confirm',
  '/withdrawal/drop',
]);

interface Envelope {
  readonly code: number;
  readonly msg: string;
  readonly result: unknown;
}

/** What is wrong with an answer as such. */
function faultsOf(answer: WireAnswer, draft: Draft): string[] {
  const envelope = JSON.parse(answer.body) as Envelope;
  const { code, msg, result } = envelope;
  const faults: string[] = [];
  const names = Object.keys(envelope).join(' ');
  if (names !== 'code msg result') faults.push(`the envelope has ${names}`);
  if (typeof msg !== 'string' || msg.length > LONGEST_MSG) faults.push(`msg is ${String(msg).slice(0, 200)}`);
  if (STATUS.get(code) !== answer.status) faults.push(`status ${answer.status} with code ${code}`);
  if (answer.headers['content-type'] !== 'application/json; charset=utf-8')
    faults.push('no JSON by its headers');
  if (code === 200) {
    if (result === null && draft.path !== '/faults') faults.push('success without a result');
    const length = longestNumber(answer.body);
    if (length > 15) faults.push(`a number of ${length} digits`);
  } else if (code === 503) {
    if (JSON.stringify(result) !== '{}') faults.push(`a refusal with ${JSON.stringify(result)}`);
    if (draft.door === 'public' && !isDefiniteRefusal(tickwright, msg)) faults.push(`indefinite: ${msg}`);
    if (msg === 'internal error') faults.push(msg);
  } else if (result !== null) faults.push(`code ${code} with ${JSON.stringify(result)}`);
  return faults;
}

/** Most significant digits that a number of the answer has (`money.md` §12). */
function longestNumber(json: string): number {
  let longest = 0;
  for (const [, number] of json.matchAll(/[:[,](-?\d+(?:\.\d+)?)/g)) {
    if (number === undefined || number.length <= 15) continue;
    const digits = number.replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
    longest = Math.max(longest, digits.length);
  }
  return longest;
}

/** Whether this venue may do what is asked, judged by the request alone. */
function mayPass({ method, path, headers, body }: WireRequest, now: number): boolean {
  const endpoint = ROUTES.get(path);
  if (endpoint === undefined || endpoint.method !== (method === 'HEAD' ? 'GET' : method)) return false;
  if (endpoint.access === 'public') return true;
  const who = KEYS.find(({ key }) => key === headers['x-api-key']);
  if (who === undefined) return false;
  if (method !== 'POST') return true;
  const given = headers['x-signature'];
  const right = createHmac('sha256', who.secret).update(body).digest('base64');
  if (given !== right && !(endpoint.access === 'key' && given === undefined)) return false;
  const form = new URLSearchParams(Buffer.from(body).toString('utf8'));
  const stamps = form.getAll('timestamp').map(Number);
  const window = Number(form.get('recv_window') ?? 5_000);
  return stamps.every((stamp) => now - stamp <= window && now - stamp >= -1_000);
}

class Fuzzing {
  readonly accepted = new Map<string, number>();
  readonly refusals = new Map<string, number>();
  readonly events = new Map<string, number>();
  requests = 0;

  run(seed: string, count: number): void {
    const dice = new Dice(seededRandom(seed));
    const venue = new FuzzVenue();
    const { core } = venue;
    core.onFill((_order, fill) =>
      this.#count(this.events, fill.isLiquidation === true ? 'liquidation' : 'fill'),
    );
    const grammar = new Grammar(venue, dice);
    venue.catchUp();
    let before = stateOf(core, []);
    let spare: Value[] = [];
    for (let sent = 0; sent < count; ) {
      if (dice.chance(0.5)) {
        venue.time.advance(dice.chance(0.002) ? 61_000 : dice.integer(1, 30));
        venue.catchUp();
        stateOf(core, before);
      }
      const draft = grammar.draft();
      const request = requestOf(dice, draft);
      const say = (what: string) => `${seed}, request ${sent}: ${what}\n${show(draft, request)}`;
      const answer = (draft.door === 'admin' ? venue.adminDoor : venue.door)(request);
      const faults = faultsOf(answer, draft);
      if (venue.errors.length > 0) faults.push(`an endpoint threw ${String(venue.errors[0])}`);
      const isRefused = answer.status !== 200;
      const after = stateOf(core, spare);
      const difference = differenceOf(before, after);
      if (isRefused || request.method !== 'POST') {
        if (difference !== undefined) faults.push(`the state changed ${difference}`);
      } else if (difference === undefined && MOVING.has(request.path)) {
        faults.push('it was accepted and changed nothing');
      }
      if (!isRefused && draft.door === 'public' && !mayPass(request, venue.time.wall()))
        faults.push('must be refused');
      spare = before;
      before = after;
      if (draft.door === 'public') sent++;
      if (sent % LAWS_EVERY === 0) faults.push(...brokenLaws(core));
      if (faults.length > 0)
        throw new Error(say(`${faults.join('; ')}; answered ${answer.body.slice(0, 300)}`));
      this.#record(draft, request, answer);
    }
    this.requests += count;
  }

  #record(draft: Draft, request: WireRequest, answer: WireAnswer): void {
    if (answer.status === 200) {
      this.#count(this.accepted, draft.door === 'admin' ? `admin ${request.path}` : request.path);
      return;
    }
    const { msg } = JSON.parse(answer.body) as Envelope;
    this.#count(this.refusals, refusalRule(msg) ?? /^[\w ]+/.exec(msg)?.[0] ?? msg);
  }

  #count(counts: Map<string, number>, name: string): void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}

function show({ door }: Draft, { method, path, query, headers, body }: WireRequest): string {
  const text = Buffer.from(body).toString('latin1').slice(0, FAR);
  return `${door}: ${method} ${path}?${query.slice(0, FAR)}\n${JSON.stringify(headers)}\n${text}`;
}

test(
  '100 000 requests get an envelope each; what is refused or only read changes nothing, and money keeps its laws',
  {
    timeout: 120_000,
  },
  () => {
    const fuzzing = new Fuzzing();
    for (let venue = 1; venue <= VENUES; venue++) fuzzing.run(`fuzz/${venue}`, REQUESTS);
    expect(fuzzing.requests).toBeGreaterThanOrEqual(100_000);
    // The fuzzing is worth something only if it gets through, and meets everything that can be said against it.
    const accepted = [
      ...ENDPOINTS.map(({ path }) => path),
      ...ADMIN_ENDPOINTS.map(({ path }) => `admin ${path}`),
    ];
    for (const path of accepted) expect(fuzzing.accepted.get(path), path).toBeGreaterThan(20);
    const refusals = [
      ...Object.keys(REFUSALS),
      'missing key',
      'unknown key',
      'bad signature',
      'unknown path',
    ];
    for (const rule of [...refusals, 'The timestamp is too old', 'Too many requests']) {
      expect(fuzzing.refusals.get(rule), rule).toBeGreaterThan(0);
    }
    expect(fuzzing.events.get('fill')).toBeGreaterThan(1_000);
    expect(fuzzing.events.get('liquidation')).toBeGreaterThan(10);
  },
);
