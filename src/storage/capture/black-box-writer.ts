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
  /** The folder of this session; its parent holds those of all sessions of the bot. */
  readonly directory: string;
  /** Written at the beginning of each segment. */
  readonly header: JsonObject;
  /** The state in which the session began; written to the first segment only. */
  readonly start: JsonObject;
  /** Called once, at the first failure. */
  readonly onFailure?: ((failure: Error) => void) | undefined;
  readonly keepMs?: number | undefined;
  /** The most bytes of all sessions together. */
  readonly keepBytes?: number | undefined;
  readonly segmentBytes?: number | undefined;
}

export const BLACK_BOX_VERSION = 2;

const MIB = 1_024 * 1_024;
const KEEP_MS = 3 * 86_400_000;
const KEEP_BYTES = 2_048 * MIB;
const SEGMENT_BYTES = 8 * MIB;
const SEGMENT_MS = 3_600_000;
/** A block is packed when it reaches this many characters, or when its first line reaches this age. */
const BLOCK_CHARACTERS = 262_144;
const BLOCK_MS = 1_000;
const MOST_WAITING_CHARACTERS = 64 * MIB;
/** With less than this on the disk, old segments are removed, long before a journal would run out of room. */
const LEAST_FREE_BYTES = 512 * MIB;
const LOOK_AT_DISK_MS = 5_000;
const PRIVATE = 0o700;

/**
 * Writes lines into compressed segments without ever blocking its caller. `line` returns at once and never throws. A
 * black box that fails, e.g. because the disk is full or too slow, stops, and `failure` says why; trading goes on.
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
  /** The chain of all writes, which execute one after the other. */
  #writing: Promise<void> = Promise.resolve();
  #failure: Error | undefined;

  constructor(options: BlackBoxWriterOptions) {
    this.#options = options;
    this.#begin();
  }

  /** Why the black box stopped before its session did; `undefined` if it did not. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Records one turn. `json` is its object as text, `turn` its number. */
  turn(turn: number, json: string): void {
    this.#nextTurn = turn + 1;
    this.#line(json);
  }

  /** Records how the session ended, and closes. Never rejects; `failure` says what went wrong. */
  async finish(footer: JsonObject): Promise<void> {
    this.#line(JSON.stringify({ footer }));
    await this.abandon();
  }

  /** Writes the waiting lines, and closes. */
  async abandon(): Promise<void> {
    await this.flush();
    await this.#file?.close().catch((error: unknown) => this.stop(asError(error)));
    this.#file = undefined;
  }

  /** Stops writing for good, e.g. because what would be recorded is incomplete. */
  stop(failure: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.#cancelFlush?.();
    this.#lines = [];
    this.#options.onFailure?.(failure);
  }

  /** Returns once all lines so far are in the file. */
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
    // The header has a block of its own, so that damage to other lines does not destroy it: no line can be understood
    // without it.
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
