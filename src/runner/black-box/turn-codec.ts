/** Turns as lines of JSON. A body that equals the last one of its path is not written again. */
import { UsageError } from '../../model/errors.js';
import { HALT_LEVELS } from '../../model/halt-level.js';
import type { HttpResponse } from '../../ports/http.js';
import { readShare } from '../../storage/capture/event-codec.js';
import { encodeNumber, Fields } from '../../storage/json-fields.js';
import { ENDS_OF_ORDERS } from '../session-gateway.js';
import { type Cause, type Deed, deedKind, type OperatorCommand, type Turn } from './turn.js';

/** The newest body of each path. Encoder and decoder must change it at the same places, or bodies would be mixed up. */
class Bodies {
  readonly #paths = new Map<number, string>();
  readonly #newest = new Map<string, string>();

  /** Notes the path of a request, to which its answer belongs. */
  asked(request: number, path: string): void {
    const query = path.indexOf('?');
    this.#paths.set(request, query < 0 ? path : path.slice(0, query));
  }

  newestFor(request: number): string | undefined {
    return this.#newest.get(this.#paths.get(request) ?? '');
  }

  answered(request: number, body: string | undefined): void {
    const path = this.#paths.get(request) ?? '';
    this.#paths.delete(request);
    if (body === undefined) return;
    if (this.#newest.size >= MOST_BODIES && !this.#newest.has(path)) this.#newest.clear();
    this.#newest.set(path, body);
  }
}

const MOST_BODIES = 64;
const REQUEST = /^\{"request":(\d+),"method":"[A-Z]+","path":("(?:[^"\\]|\\.)*")/;

function noteRequests(bodies: Bodies, did: readonly Deed[]): void {
  for (const deed of did) {
    if (deedKind(deed) !== 'request') continue;
    const [, number, path] = REQUEST.exec(deed) ?? [];
    if (number !== undefined && path !== undefined) bodies.asked(Number(number), JSON.parse(path) as string);
  }
}

export class TurnEncoder {
  readonly #bodies = new Bodies();

  line(turn: Turn): string {
    const { number, wall, monotonic, cause, journalFailed, did, timers, inputs } = turn;
    const head = { turn: number, wall: encodeNumber(wall), at: encodeNumber(monotonic), journalFailed };
    const facts = JSON.stringify({ ...head, ...this.#cause(cause), timers, inputs });
    noteRequests(this.#bodies, did);
    return did.length === 0 ? facts : `${facts.slice(0, -1)},"did":[${did.join(',')}]}`;
  }

  #cause(cause: Cause): object {
    switch (cause.kind) {
      case 'start':
        return { start: true };
      case 'timer':
        return { timer: cause.timer };
      case 'connected':
        return { connected: cause.request };
      case 'answer': {
        const { request, status, headers, body } = cause;
        const same = this.#bodies.newestFor(request) === body;
        this.#bodies.answered(request, body);
        return { answer: request, status, headers, ...(same ? { same } : { body }) };
      }
      case 'failure': {
        const { request, reason, sent, message } = cause;
        this.#bodies.answered(request, undefined);
        return { failure: request, reason, sent, message };
      }
      case 'command':
        return { command: cause.command };
    }
  }
}

export class TurnDecoder {
  readonly #bodies = new Bodies();

  /** @throws UsageError that names the field and what it must be. */
  turn(line: unknown): Turn {
    const fields = new Fields(line, 'the turn');
    const did = fields.has('did') ? fields.array('did').map((deed) => JSON.stringify(deed)) : [];
    const turn: Turn = {
      number: fields.integer('turn'),
      wall: fields.number('wall'),
      monotonic: fields.number('at'),
      cause: this.#cause(fields),
      journalFailed: fields.has('journalFailed') ? fields.text('journalFailed') : undefined,
      did,
      timers: fields.integer('timers'),
      inputs: fields.integer('inputs'),
    };
    noteRequests(this.#bodies, did);
    return turn;
  }

  #cause(fields: Fields): Cause {
    if (fields.has('timer')) return { kind: 'timer', timer: fields.integer('timer') };
    if (fields.has('connected')) return { kind: 'connected', request: fields.integer('connected') };
    if (fields.has('answer')) return this.#answer(fields);
    if (fields.has('failure')) {
      const request = fields.integer('failure');
      this.#bodies.answered(request, undefined);
      const reason = fields.oneOf('reason', REASONS);
      return { kind: 'failure', request, reason, sent: fields.flag('sent'), message: fields.text('message') };
    }
    if (fields.has('command')) return { kind: 'command', command: commandOf(fields.object('command')) };
    if (fields.has('start')) return { kind: 'start' };
    throw new UsageError('TICKWRIGHT_E_CAPTURE', 'the turn must have a cause that this version knows');
  }

  #answer(fields: Fields): Cause {
    const request = fields.integer('answer');
    const body = fields.has('same') ? this.#bodies.newestFor(request) : fields.text('body');
    if (body === undefined) {
      throw new UsageError('TICKWRIGHT_E_CAPTURE', 'the turn must repeat an answer that came before it');
    }
    this.#bodies.answered(request, body);
    const headers = fields.object('headers');
    const names = Object.keys(fields.value('headers') as object);
    const texts: HttpResponse['headers'] = Object.fromEntries(
      names.map((name) => [name, headers.text(name)]),
    );
    return { kind: 'answer', request, status: fields.integer('status'), headers: texts, body };
  }
}

const REASONS = ['refused', 'timeout', 'reset', 'too-large', 'aborted', 'other'] as const;

function commandOf(fields: Fields): OperatorCommand {
  const kind = fields.oneOf('kind', ['halt', 'resume', 'block', 'others', 'abandon', 'stop']);
  if (kind === 'stop') {
    const orders = fields.has('orders') ? fields.oneOf('orders', ENDS_OF_ORDERS) : undefined;
    return { kind, deadlineMs: fields.number('deadlineMs'), ...(orders === undefined ? {} : { orders }) };
  }
  if (kind === 'abandon') {
    return {
      kind,
      deadlineMs: fields.number('deadlineMs'),
      orders: fields.oneOf('orders', ENDS_OF_ORDERS),
    };
  }
  if (kind === 'block') return { kind, reason: fields.has('reason') ? fields.text('reason') : undefined };
  if (kind === 'others') return { kind, ...readShare(fields) };
  if (kind === 'resume') return { kind, reason: fields.text('reason'), by: fields.text('by') };
  const level = fields.oneOf('level', HALT_LEVELS);
  return { kind, level, reason: fields.text('reason'), by: fields.text('by') };
}
