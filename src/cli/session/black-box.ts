/** The black box of a live session: records everything that the session is given. */
import { join } from 'node:path';
import type { BooksState } from '../../execution/books-state.js';
import { Recorder } from '../../runner/black-box/recorder.js';
import type { SessionFooter } from '../../runner/black-box/replay.js';
import type { BoxedPlan } from '../../runner/black-box/session-in-box.js';
import type { OperatorCommand } from '../../runner/black-box/turn.js';
import { TurnEncoder } from '../../runner/black-box/turn-codec.js';
import type { BotEnd } from '../../runner/bot.js';
import type { EndOfOrders } from '../../runner/session-gateway.js';
import type { LiveCommands, LiveSession } from '../../runner/live-session.js';
import { BlackBoxWriter } from '../../storage/capture/black-box-writer.js';
import type { JsonObject } from '../../storage/json-fields.js';
import type { Machine } from '../machine.js';
import { captureHeader } from './capture.js';
import type { KeyedConnection } from '../connection/connection.js';
import type { LoadedStrategy } from '../strategy/strategy.js';

/** The folder of a session's black box, within the bot's folder. */
export function blackBoxPath(journal: string, session: string): string {
  return join(journal, 'capture', session);
}

export interface BlackBoxOptions {
  readonly directory: string;
  readonly plan: BoxedPlan;
  readonly strategy: LoadedStrategy;
  readonly connection: KeyedConnection;
}

export class BlackBox {
  readonly recorder: Recorder;
  readonly #machine: Machine;
  readonly #options: BlackBoxOptions;
  readonly #encoder = new TurnEncoder();
  #header: JsonObject = {};
  #writer: BlackBoxWriter | undefined;

  constructor(machine: Machine, options: BlackBoxOptions) {
    this.#machine = machine;
    this.#options = options;
    this.recorder = new Recorder({
      ...machine,
      transport: options.connection.transport,
      scrub: (text) => machine.scrubber.scrub(text),
      onTurn: (turn) => {
        const writer = this.#writer;
        if (writer !== undefined && writer.failure === undefined) {
          writer.turn(turn.number, this.#encoder.line(turn));
        }
      },
      onStray: (error) => this.#writer?.stop(error),
    });
  }

  get directory(): string {
    return this.#options.directory;
  }

  /** Why the recording ended before its session; `undefined` when it did not. */
  get failure(): Error | undefined {
    return this.#writer?.failure;
  }

  /** Must be awaited before `begin`. */
  async prepare(): Promise<void> {
    this.#header = await this.#headerOf();
  }

  /** Must be called right before the session starts. `books`: the state of the journal's books at this moment. */
  begin(books: BooksState): void {
    const { log } = this.#machine;
    const { directory } = this.#options;
    this.#writer = new BlackBoxWriter({
      ...this.#machine,
      directory,
      header: this.#header,
      start: { books: books as unknown as JsonObject },
      onFailure: (error) =>
        log.warn('the black box has stopped; trading goes on', { directory, error: error.message }),
    });
  }

  /** The commands to the session from outside; each is recorded before it is carried out. */
  commandsTo(live: LiveSession): LiveCommands {
    const recorded = (command: OperatorCommand, work: () => void) =>
      void this.recorder.command(command, () => Promise.resolve(work()));
    return {
      halt: (level, reason, by) =>
        recorded({ kind: 'halt', level, reason, by }, () => live.halt(level, reason, by)),
      resume: (reason, by) => recorded({ kind: 'resume', reason, by }, () => live.resume(reason, by)),
      others: (share) => recorded({ kind: 'others', ...share }, () => live.others(share)),
      block: (reason) => recorded({ kind: 'block', reason }, () => live.block(reason)),
      abandon: (deadlineMs, orders) =>
        recorded({ kind: 'abandon', deadlineMs, orders }, () => live.abandon(deadlineMs, orders)),
    };
  }

  stop(deadlineMs: number, live: LiveSession, orders: EndOfOrders | undefined): Promise<BotEnd> {
    const command = { kind: 'stop', deadlineMs, ...(orders === undefined ? {} : { orders }) } as const;
    return this.recorder.command(command, () => live.stop(deadlineMs, undefined, orders));
  }

  /** Closes the recording of a session that ended in order. */
  async finish({ inputs, wantsHash, decisionHash }: Omit<SessionFooter, 'turns'>): Promise<void> {
    await this.recorder.finish();
    const { turns } = this.recorder;
    await this.#writer?.finish({ turns, inputs, wantsHash, decisionHash });
  }

  /** Closes the recording of a session that never began or ended in an error. */
  async abandon(): Promise<void> {
    await this.recorder.finish();
    await this.#writer?.abandon();
  }

  async #headerOf(): Promise<JsonObject> {
    const { plan, strategy, connection } = this.#options;
    const { session, url, clientSeed, every, warmUpMs, policy, readsTransfers, recountsCash, ledger } = plan;
    const facts = await captureHeader(this.#machine.files, { ...plan, mode: 'live', strategy }, {});
    return {
      ...(facts as unknown as JsonObject),
      session,
      url,
      profile: connection.profile as unknown as JsonObject,
      clientSeed,
      every: { ...every },
      warmUpMs,
      policy: { ...policy },
      readsTransfers,
      recountsCash,
      ...(ledger && { ledger: { ...ledger, maxSuspense: ledger.maxSuspense?.toString() } }),
    };
  }
}
