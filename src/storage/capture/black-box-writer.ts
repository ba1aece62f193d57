import { dirname } from 'node:path';
import { TickwrightError } from '../../model/errors.js';
import type { CancelTimer, Clock, Timers } from '../../ports/clock.js';
import type { DiskSpace } from '../../ports/disk-space.js';
import type { AppendFile, Files } from '../../ports/files.js';
import { blockOf } from './black-box-block.js';
import { blackBoxSegmentPath } from './black-box-layout.js';
import { dropBlackBoxes } from './black-box-retention.js';
import { sealed } from './capture.js';
import type { JsonObject } from '../json-fields.js';

export interface BlackBoxWriterOptions {
  readonly files: Files;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly disk: DiskSpace;
  /** Of this session; its parent holds those of all sessions of the bot. */
  readonly directory: string;
  /** Stands at the beginning of each segment. */
  readonly header: JsonObject;
  /** What the session began with; in the first segment only. */
  readonly start: JsonObject;
  /** Told once, at the first failure. */
  readonly onFailure?: ((failure: Error) => void) | undefined;
  readonly keepMs?: number | undefined;
  /** Of all sessions together. */
  readonly keepBytes?: number | undefined;
  readonly segmentBytes?: number | undefined;
}

export const BLACK_BOX_VERSION = 2;

const MIB = 1_024 * 1_024;
const KEEP_MS = 3 * 86_400_000;
const KEEP_BYTES = 2_048 * MIB;
const SEGMENT_BYTES = 8 * MIB;
const SEGMENT_MS = 3_600_000;
/** A block is packed when it has so many characters, or when its first line is so old. */
const BLOCK_CHARACTERS = 262_144;
const BLOCK_MS = 1_000;
const MOST_WAITING_CHARACTERS = 64 * MIB;
/** With less on the disk black boxes go, long before a journal has to do without room. */
const LEAST_FREE_BYTES = 512 * MIB;
const LOOK_AT_DISK_MS = 5_000;
const PRIVATE = 0o700;

/**
 * Writes lines into compressed segments, without ever waiting for the disk. `line` returns at once and never throws: a
 * black box that fails (a full disk, a disk that cannot keep up) stops, and `failure` says why; trading goes on.
 */
export class BlackBoxWriter {
  readonly #options: BlackBoxWriterOptions;
  #file: AppendFile | undefined;
  #segment = 0;
  #segmentSince = 0;
  #segmentSize = 0;
  #crc = 0;
  #lines: string[] = [];
  #waiting = 0;
  #inFlight = 0;
  #cancelFlush: CancelTimer | undefined;
  #lookedAtDisk = Number.NEGATIVE_INFINITY;
  #nextTurn = 1;
  /** All writing, one after the other. */
  #writing: Promise<void> = Promise.resolve();
  #failure: Error | undefined;

  constructor(options: BlackBoxWriterOptions) {
    this.#options = options;
    this.#begin();
  }

  /** Why it stopped before its session; `undefined` when it did not. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** One object as JSON; `turn` is its number. */
  turn(turn: number, json: string): void {
    this.#nextTurn = turn + 1;
    this.#line(json);
  }

  /** Writes down how the session ended, and closes. Never rejects: `failure` says what went wrong. */
  async finish(footer: JsonObject): Promise<void> {
    this.#line(JSON.stringify({ footer }));
    await this.abandon();
  }

  /** Writes what waits, and closes. */
  async abandon(): Promise<void> {
    await this.flush();
    await this.#file?.close().catch((error: unknown) => this.stop(asError(error)));
    this.#file = undefined;
  }

  /** Nothing more is written, e.g. because what is recorded is not whole. */
  stop(failure: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.#cancelFlush?.();
    this.#lines = [];
    this.#options.onFailure?.(failure);
  }

  /** Returns once everything so far is in the file. */
  async flush(): Promise<void> {
    this.#pack();
    await this.#writing;
  }

  #begin(): void {
    const { header, start, clock, files, directory } = this.#options;
    this.#segment += 1;
    this.#segmentSince = clock.monotonic();
    this.#segmentSize = 0;
    const number = this.#segment;
    const path = blackBoxSegmentPath(directory, number);
    this.#queue(async () => {
      await this.#file?.close();
      this.#file = undefined;
      if (number === 1) {
        await files.makeDirectory(dirname(directory), PRIVATE);
        await files.makeDirectory(directory, PRIVATE);
      }
      this.#file = await files.openAppend(path);
      await this.#drop(path, 0);
    });
    const place = { formatVersion: BLACK_BOX_VERSION, segment: number, firstTurn: this.#nextTurn };
    this.#line(JSON.stringify({ header: { ...place, ...header, ...(number === 1 ? { start } : {}) } }));
    // A block of its own: without it nothing else can be understood.
    this.#pack();
  }

  #line(json: string): void {
    if (this.#failure !== undefined) return;
    const { line, crc } = sealed(json, this.#crc);
    this.#crc = crc;
    this.#lines.push(line);
    this.#waiting += line.length + 1;
    if (this.#waiting >= BLOCK_CHARACTERS) this.#pack();
    else this.#cancelFlush ??= this.#options.timers.after(BLOCK_MS, () => this.#pack());
  }

  #pack(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#lines.length === 0) return;
    const { files, clock, segmentBytes = SEGMENT_BYTES } = this.#options;
    const size = this.#waiting;
    if (this.#inFlight + size > MOST_WAITING_CHARACTERS) {
      const message = `a black box must reach the disk as fast as the session runs, ${this.#inFlight} characters wait`;
      this.stop(new TickwrightError('TICKWRIGHT_E_CAPTURE_SLOW', message));
      return;
    }
    const bytes = new TextEncoder().encode(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
    this.#waiting = 0;
    this.#inFlight += size;
    this.#queue(async () => {
      const block = blockOf(await files.gzip(bytes));
      await this.#makeRoom();
      await this.#file?.append(block);
      this.#segmentSize += block.length;
      this.#inFlight -= size;
    });
    if (this.#segmentSize >= segmentBytes || clock.monotonic() - this.#segmentSince >= SEGMENT_MS) {
      this.#begin();
    }
  }

  async #makeRoom(): Promise<void> {
    const { disk, clock, directory } = this.#options;
    if (clock.monotonic() - this.#lookedAtDisk < LOOK_AT_DISK_MS) return;
    this.#lookedAtDisk = clock.monotonic();
    const missing = LEAST_FREE_BYTES - (await disk.freeBytes(directory));
    if (missing <= 0) return;
    if (await this.#drop(blackBoxSegmentPath(directory, this.#segment), missing)) return;
    throw new TickwrightError(
      'TICKWRIGHT_E_CAPTURE_ROOM',
      `the disk of ${directory} must have ${LEAST_FREE_BYTES / MIB} MiB free for a black box, ` +
        `it lacks ${Math.ceil(missing / MIB)} MiB`,
    );
  }

  #drop(open: string, freeBytes: number): Promise<boolean> {
    const { files, clock, directory, keepMs = KEEP_MS, keepBytes = KEEP_BYTES } = this.#options;
    const before = clock.wall() - keepMs;
    return dropBlackBoxes(files, { root: dirname(directory), open, before, keepBytes, freeBytes });
  }

  #queue(work: () => Promise<void>): void {
    this.#writing = this.#writing.then(async () => {
      if (this.#failure !== undefined) return;
      try {
        await work();
      } catch (error) {
        this.stop(asError(error));
      }
    });
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
