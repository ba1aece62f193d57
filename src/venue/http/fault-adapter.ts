import type { CancelTimer, Timers } from '../../ports/clock.js';
import type { AnswerForm } from '../faults/fate.js';
import type { FaultyVenue } from './faulty-venue.js';
import { type Outgoing, send } from './http-listener.js';
import { substituteAnswer } from './substitute-answer.js';
import type { WireAnswer, WireRequest } from './wire.js';

export interface FaultAdapterOptions {
  readonly venue: FaultyVenue;
  readonly headers: () => Readonly<Record<string, string>>;
  readonly timers: Timers;
  /** Venue ms per real ms. */
  readonly speed: number;
}

/**
 * Plays a fault plan on real sockets: delays, cuts, trickles or suppresses what an HTTP server would send as a whole.
 */
export class FaultAdapter {
  readonly #venue: FaultyVenue;
  readonly #headers: () => Readonly<Record<string, string>>;
  readonly #timers: Timers;
  readonly #speed: number;
  readonly #waiting = new Set<CancelTimer>();

  constructor({ venue, headers, timers, speed }: FaultAdapterOptions) {
    this.#venue = venue;
    this.#headers = headers;
    this.#timers = timers;
    this.#speed = speed;
  }

  /** Handles a request that came in whole: executes it and answers it as often and as late as its fate says. */
  deliver(request: WireRequest, outgoing: Outgoing): void {
    const fate = this.#venue.meet(request);
    if (fate === undefined) {
      send(outgoing, this.#venue.execute(request));
      return;
    }
    const { executions, reply, delayMs } = fate;
    for (const [index, afterMs] of executions.entries()) {
      this.#after(afterMs / this.#speed, () => {
        const answer = this.#venue.execute(request, fate);
        if (reply.kind !== 'own' || reply.execution !== index) return;
        this.#after(delayMs, () => {
          this.#send(outgoing, answer, reply.form);
        });
      });
    }
    if (reply.kind === 'own' || reply.kind === 'nothing') return;
    this.#after(delayMs, () => {
      if (reply.kind === 'reset') outgoing.socket?.resetAndDestroy();
      else if (isOpen(outgoing)) {
        const parts = { venue: this.#venue, headers: this.#headers() };
        send(outgoing, substituteAnswer(reply, fate, parts));
      }
    });
  }

  /** Cancels late executions and slow bytes that are still to come. */
  close(): void {
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }

  #after(ms: number, task: () => void): void {
    if (ms <= 0) {
      task();
      return;
    }
    this.#later(ms, task);
  }

  #later(ms: number, task: () => void): void {
    const cancel = this.#timers.after(ms, () => {
      this.#waiting.delete(cancel);
      task();
    });
    this.#waiting.add(cancel);
  }

  #send(outgoing: Outgoing, answer: WireAnswer, form: AnswerForm): void {
    if (!isOpen(outgoing)) return;
    switch (form.kind) {
      case 'whole':
        send(outgoing, answer);
        return;
      case 'padded':
        send(outgoing, { ...answer, body: answer.body + ' '.repeat(form.bytes) });
        return;
      case 'truncated':
        sendPart(outgoing, answer, form);
        return;
      case 'trickle': {
        const bytes = Buffer.from(answer.body);
        outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': bytes.length });
        outgoing.flushHeaders();
        this.#drip(outgoing, bytes, form);
        return;
      }
    }
  }

  #drip(outgoing: Outgoing, bytes: Buffer, form: { readonly bytes: number; readonly everyMs: number }): void {
    // By a timer even without a pause: an answer of many pieces would be as many calls within each other.
    this.#later(form.everyMs, () => {
      if (!isOpen(outgoing)) return;
      outgoing.write(bytes.subarray(0, form.bytes));
      if (bytes.length <= form.bytes) outgoing.end();
      else this.#drip(outgoing, bytes.subarray(form.bytes), form);
    });
  }
}

/** Whether the client is still connected. */
function isOpen(outgoing: Outgoing): boolean {
  return !outgoing.destroyed && outgoing.socket?.destroyed === false;
}

function sendPart(
  outgoing: Outgoing,
  { status, headers, body }: WireAnswer,
  { keep, framing }: { readonly keep: number; readonly framing: 'broken' | 'whole' },
): void {
  const bytes = Buffer.from(body);
  const part = bytes.subarray(0, Math.floor(bytes.length * keep));
  const { socket } = outgoing;
  outgoing.writeHead(status, {
    ...headers,
    'content-length': framing === 'whole' ? part.length : bytes.length,
  });
  if (framing === 'whole') {
    outgoing.end(part);
    return;
  }
  outgoing.flushHeaders();
  outgoing.write(part);
  socket?.destroySoon();
}
