import { dirname } from 'node:path';
import type { Command, Refusal, Supersession } from '../../model/command.js';
import { TickwrightError } from '../../model/errors.js';
import { type EngineEvent, timeOfEvent } from '../../model/event.js';
import type { CancelTimer, Timers } from '../../ports/clock.js';
import type { AppendFile, Files } from '../../ports/files.js';
import { type CaptureFooter, type CaptureHeader, headerText, sealed, segmentPath } from './capture.js';
import { decisionText } from './decision-codec.js';
import { encodeEvent } from './event-codec.js';
import type { JsonObject } from '../json-fields.js';

const WRITE_CHARACTERS = 65_536;
/** What waits is written when its first line is so old: of a session that is killed the rest is there. */
const WRITE_MS = 1_000;
const MOST_WAITING_CHARACTERS = 64 * 1_024 * 1_024;
/** Lines and parts that may wait to be made. */
const MOST_UNTOLD = 256;

export interface CaptureOptions {
  readonly path: string;
  readonly header: Omit<CaptureHeader, 'firstInput'>;
  readonly timers: Timers;
  /** How much of the newest session time is kept at least, ms (at most twice that). Absent: everything. */
  readonly keepMs?: number | undefined;
  /** Options to state in the header of a later part, e.g. what the session holds at its start. */
  readonly partOptions?: () => JsonObject;
}

/**
 * Writes a capture. `input` and `decision` return at once and never throw: a capture that fails (a full disk, a disk
 * that cannot keep up) stops, and `failure` says why; trading goes on. What they are given must not change afterwards:
 * its text is made when whatever they were called from is over, so that an order does not wait for it.
 */
export class CaptureWriter {
  readonly #files: Files;
  readonly #options: CaptureOptions;
  #file: AppendFile;
  #segment = 0;
  #segmentStart: number | undefined;
  #crc = 0;
  /** What is still to be written down, in its order. */
  #untold: (() => void)[] = [];
  #lines: string[] = [];
  #waiting = 0;
  #inFlight = 0;
  /** All writing, one after the other. */
  #writing: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  #cancelWrite: CancelTimer | undefined;

  private constructor(files: Files, options: CaptureOptions, file: AppendFile) {
    this.#files = files;
    this.#options = options;
    this.#file = file;
  }

  /** Begins a capture; one that is there already is replaced. */
  static async open(files: Files, options: CaptureOptions): Promise<CaptureWriter> {
    await files.makeDirectory(dirname(options.path));
    await files.remove(segmentPath(options.path, 1));
    const writer = new CaptureWriter(files, options, await emptied(files, segmentPath(options.path, 0)));
    writer.#line(headerText({ ...options.header, firstInput: 1 }));
    return writer;
  }

  /** Why the capture stopped before its session; `undefined` when it did not. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** An event on its way into the engine; `input` counts from 1. */
  input(input: number, event: EngineEvent): void {
    if (this.#failure !== undefined) return;
    // Of a trade when it was known: what was printed long ago is news all the same.
    this.#turnPart(input, event.kind === 'trade' ? event.receivedAt : timeOfEvent(event));
    this.#lineLater(() => JSON.stringify({ input, event: encodeEvent(event) }));
  }

  /** What came of it, when anything did. */
  decision(
    input: number,
    commands: readonly Command[],
    refusals: readonly Refusal[],
    superseded: readonly Supersession[],
  ): void {
    if (this.#failure !== undefined) return;
    this.#lineLater(() => {
      const text = decisionText({ commands, refusals, superseded });
      return `{"decision":${input},${text.slice(1)}`;
    });
  }

  /** Returns once everything so far is in the file. */
  async flush(): Promise<void> {
    this.#tell();
    this.#write();
    await this.#writing;
  }

  /** Writes the footer and closes. @throws what made the capture fail. */
  async finish(footer: CaptureFooter): Promise<void> {
    this.#tell();
    if (this.#failure === undefined) this.#line(JSON.stringify({ footer }));
    await this.abandon();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Writes what waits and closes, without a footer. */
  async abandon(): Promise<void> {
    await this.flush();
    await this.#file.close().catch((error: unknown) => this.#fail(error));
  }

  #turnPart(input: number, time: number): void {
    const { keepMs, header, path, partOptions } = this.#options;
    this.#segmentStart ??= time;
    if (keepMs === undefined || time - this.#segmentStart < keepMs) return;
    this.#segmentStart = time;
    // What is stated is what holds before this input; writing the part before it out takes longer than an order may wait.
    const options = { ...header.options, ...partOptions?.() };
    this.#later(() => {
      this.#write();
      this.#segment += 1;
      const next = segmentPath(path, this.#segment);
      this.#queue(async () => {
        await this.#file.close();
        this.#file = await emptied(this.#files, next);
      });
      this.#crc = 0;
      this.#line(headerText({ ...header, options, firstInput: input }));
    });
  }

  #lineLater(text: () => string): void {
    this.#later(() => this.#line(text()));
  }

  #later(work: () => void): void {
    if (this.#untold.length === 0) void Promise.resolve().then(() => this.#tell());
    this.#untold.push(work);
    if (this.#untold.length >= MOST_UNTOLD) this.#tell();
  }

  #tell(): void {
    const untold = this.#untold;
    this.#untold = [];
    for (const work of untold) work();
  }

  #line(json: string): void {
    const { line, crc } = sealed(json, this.#crc);
    this.#crc = crc;
    this.#lines.push(line);
    this.#waiting += line.length + 1;
    if (this.#waiting >= WRITE_CHARACTERS) this.#write();
    else this.#cancelWrite ??= this.#options.timers.after(WRITE_MS, () => this.#write());
  }

  #write(): void {
    this.#cancelWrite?.();
    this.#cancelWrite = undefined;
    if (this.#lines.length === 0) return;
    const size = this.#waiting;
    if (this.#inFlight + size > MOST_WAITING_CHARACTERS) {
      const message = `a capture must reach the disk as fast as the session runs, ${this.#inFlight} characters wait`;
      this.#fail(new TickwrightError('TICKWRIGHT_E_CAPTURE_SLOW', message));
    }
    const bytes = new TextEncoder().encode(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
    this.#waiting = 0;
    this.#inFlight += size;
    this.#queue(async () => {
      await this.#file.append(bytes);
      this.#inFlight -= size;
    });
  }

  #queue(work: () => Promise<void>): void {
    this.#writing = this.#writing.then(async () => {
      if (this.#failure !== undefined) return;
      try {
        await work();
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
  }
}

async function emptied(files: Files, path: string): Promise<AppendFile> {
  const file = await files.openAppend(path);
  await file.truncate(0);
  return file;
}
