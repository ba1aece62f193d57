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

const PRIVATE = 0o700;
const WRITE_CHARACTERS = 65_536;
/**
 * Waiting lines are written when the first of them reaches this age, so that a killed session loses little more than
 * that.
 */
const WRITE_MS = 1_000;
const MOST_WAITING_CHARACTERS = 64 * 1_024 * 1_024;
/** The most pieces of work (lines and new parts) that may wait before they are turned into text. */
const MOST_UNTOLD = 256;

export interface CaptureOptions {
  readonly path: string;
  readonly header: Omit<CaptureHeader, 'firstInput'>;
  readonly timers: Timers;
  /**
   * How much of the newest session time to keep, ms: at least this much, at most twice as much. `undefined`:
   * everything.
   */
  readonly keepMs?: number | undefined;
  /** Called once, at the first failure. */
  readonly onFailure?: ((failure: Error) => void) | undefined;
  /** Options to add to the header of a later part, e.g. the session's position when the part begins. */
  readonly partOptions?: () => JsonObject;
}

/**
 * Writes a capture. `input` and `decision` return at once and never throw. A capture that fails, e.g. because the disk
 * is full or too slow, stops, and `failure` says why; trading goes on. Their arguments must not change afterwards: they
 * are turned into text only after the calling turn, so that an order does not wait for it.
 */
export class CaptureWriter {
  readonly #files: Files;
  readonly #options: CaptureOptions;
  #file: AppendFile;
  #segment = 0;
  #segmentStart: number | undefined;
  #crc = 0;
  /** Work that waits to be turned into text, in order. */
  #untold: (() => void)[] = [];
  #lines: string[] = [];
  #waiting = 0;
  #inFlight = 0;
  /** The chain of all writes, which execute one after the other. */
  #writing: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  #cancelWrite: CancelTimer | undefined;

  private constructor(files: Files, options: CaptureOptions, file: AppendFile) {
    this.#files = files;
    this.#options = options;
    this.#file = file;
  }

  /** Begins a capture, and replaces an existing one. */
  static async open(files: Files, options: CaptureOptions): Promise<CaptureWriter> {
    await files.makeDirectory(dirname(options.path), PRIVATE);
    await files.remove(segmentPath(options.path, 1));
    const writer = new CaptureWriter(files, options, await emptied(files, segmentPath(options.path, 0)));
    writer.#line(headerText({ ...options.header, firstInput: 1 }));
    return writer;
  }

  /** Why the capture stopped before its session did; `undefined` if it did not. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Records an event that is about to enter the engine; `input` counts from 1. */
  input(input: number, event: EngineEvent): void {
    if (this.#failure !== undefined) return;
    // For a trade, the time of its receipt counts: an old trade that arrives late is still a recent input.
    this.#turnPart(input, event.kind === 'trade' ? event.receivedAt : timeOfEvent(event));
    this.#lineLater(() => JSON.stringify({ input, event: encodeEvent(event) }));
  }

  /** Records the decision about an input. To be called only for a decision that is not empty. */
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

  /**
   * Writes the footer and closes.
   *
   * @throws what made the capture fail.
   */
  async finish(footer: CaptureFooter): Promise<void> {
    this.#tell();
    if (this.#failure === undefined) this.#line(JSON.stringify({ footer }));
    await this.abandon();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Writes the waiting lines and closes, without a footer. */
  async abandon(): Promise<void> {
    await this.flush();
    await this.#file.close().catch((error: unknown) => this.#fail(error));
  }

  #turnPart(input: number, time: number): void {
    const { keepMs, header, path, partOptions } = this.#options;
    this.#segmentStart ??= time;
    if (keepMs === undefined || time - this.#segmentStart < keepMs) return;
    this.#segmentStart = time;
    // The options are collected at once, because they must hold before this input. The part before is written later,
    // because that takes longer than an order may wait.
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
      // At once: without its header nothing in the part can be read.
      this.#write();
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
    if (this.#failure !== undefined) return;
    this.#failure = error instanceof Error ? error : new Error(String(error));
    this.#options.onFailure?.(this.#failure);
  }
}

async function emptied(files: Files, path: string): Promise<AppendFile> {
  const file = await files.openAppend(path);
  await file.truncate(0);
  return file;
}
