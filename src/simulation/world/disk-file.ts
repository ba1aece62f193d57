import type { Random } from '../../model/random.js';

/**
 * What a power loss does to bytes that were written but not synced. It loses all of them, keeps the first of them,
 * keeps all but turns the last of them into zeros, or keeps all. `holed` is used only on request: one page in the
 * middle is missing.
 */
export type UnsyncedFate = 'lost' | 'torn' | 'zeroed' | 'kept' | 'holed';

const DRAWN: readonly UnsyncedFate[] = ['lost', 'torn', 'zeroed', 'kept'];
const PAGE = 4_096;
const NOTHING = new Uint8Array(0);

/** A write that has not reached the disk, and how to undo it; or a truncation, which writes nothing. */
interface Change {
  readonly offset: number;
  readonly length: number;
  /** The bytes from `offset` on that it replaced. */
  readonly old: Uint8Array;
  readonly sizeBefore: number;
}

/** A file: its bytes as readers see them, and which of them survive a power loss. */
export class DiskFile {
  readonly mode: number;
  modifiedMs: number;
  /** Whether its directory entry survives a power loss. */
  isNamed = false;
  #buffer: Uint8Array;
  #size: number;
  /** The changes since the last sync, in order. */
  #changes: Change[] = [];
  /** Ranges whose sync failed: the system treats them as clean, so they never reach the disk. */
  #holes: (readonly [from: number, to: number])[] = [];

  constructor(contents: Uint8Array, mode: number, modifiedMs: number) {
    this.#buffer = contents.slice();
    this.#size = contents.length;
    this.mode = mode;
    this.modifiedMs = modifiedMs;
  }

  get size(): number {
    return this.#size;
  }

  /** A view of the bytes, which later changes of the file overwrite. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size);
  }

  /** A view of the first bytes that certainly survive a power loss. Reserved room consists of zeros. */
  get durableBytes(): Uint8Array {
    let end = this.#size;
    for (const { offset } of this.#changes) if (offset < end) end = offset;
    for (const [from] of this.#holes) if (from < end) end = from;
    return this.#buffer.subarray(0, end);
  }

  /** Writes at `offset`, which must lie within the file or at its end. */
  write(offset: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const end = offset + bytes.length;
    const overlap = Math.min(end, this.#size);
    const old = overlap > offset ? this.#buffer.slice(offset, overlap) : NOTHING;
    this.#changes.push({ offset, length: bytes.length, old, sizeBefore: this.#size });
    this.#resize(Math.max(this.#size, end));
    this.#buffer.set(bytes, offset);
  }

  /** Sets the size; bytes beyond the present end become zeros. */
  truncate(size: number): void {
    if (size >= this.#size) {
      this.write(this.#size, new Uint8Array(size - this.#size));
      return;
    }
    const old = this.#buffer.slice(size, this.#size);
    this.#changes.push({ offset: size, length: 0, old, sizeBefore: this.#size });
    this.#resize(size);
    this.#holes = this.#holes
      .filter(([from]) => from < size)
      .map(([from, to]) => [from, Math.min(to, size)] as const);
  }

  sync(): void {
    this.#changes = [];
  }

  /** Fails a sync: readers still see the dirty bytes, but the disk never gets them. */
  failSync(): void {
    for (const { offset, length } of this.#changes)
      if (length > 0) this.#holes.push([offset, offset + length]);
    this.#changes = [];
  }

  /** Loses the power. Returns what happened to the unsynced bytes; `undefined` if there were none. */
  losePower(random: Random, fate?: UnsyncedFate): UnsyncedFate | undefined {
    const chosen = this.#changes.length === 0 ? undefined : (fate ?? DRAWN[random.integer(0, 3)]);
    const size = this.#size;
    switch (chosen) {
      case 'lost':
        this.#undoFrom(0, 0);
        break;
      case 'torn':
        this.#tear(random);
        break;
      case 'zeroed':
        // The file system wrote the size before the contents.
        this.#tear(random);
        if (size > this.#size) this.#resize(size);
        break;
      case 'holed':
        this.#loseOnePage(random);
        break;
      case 'kept':
      case undefined:
    }
    for (const [from, to] of this.#holes) this.#buffer.fill(0, from, Math.min(to, this.#size));
    this.#changes = [];
    this.#holes = [];
    this.isNamed = true;
    return chosen;
  }

  /** Interrupts the writes at a random point within one of the changes. */
  #tear(random: Random): void {
    const at = random.integer(0, this.#changes.length - 1);
    const { length } = this.#changes[at] as Change;
    this.#undoFrom(at, length === 0 ? 0 : random.integer(0, length - 1));
  }

  /** Undoes all changes after the one at `index`, and of that one everything beyond the first `kept` bytes. */
  #undoFrom(index: number, kept: number): void {
    for (const { offset, old, sizeBefore } of this.#changes.slice(index + 1).reverse()) {
      this.#resize(sizeBefore);
      this.#buffer.set(old, offset);
    }
    const { offset, old, sizeBefore } = this.#changes[index] as Change;
    this.#resize(Math.max(sizeBefore, offset + kept));
    this.#buffer.set(old.subarray(kept), offset + kept);
  }

  #loseOnePage(random: Random): void {
    const from = Math.min(...this.#changes.map(({ offset }) => offset));
    const now = this.#buffer.slice(0, this.#size);
    const first = Math.floor(from / PAGE);
    const last = Math.max(first, Math.ceil(now.length / PAGE) - 1);
    const page = random.integer(first, last);
    this.#undoFrom(0, 0);
    const before = this.#buffer.slice(0, this.#size);
    const [start, end] = [Math.max(from, page * PAGE), Math.min(now.length, (page + 1) * PAGE)];
    now.fill(0, start, end);
    now.set(before.subarray(start, end), Math.min(start, now.length));
    this.#buffer = now;
    this.#size = now.length;
  }

  /** Sets the size; new bytes are zeros. */
  #resize(size: number): void {
    if (size > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(256, size, 2 * this.#buffer.length));
      larger.set(this.bytes);
      this.#buffer = larger;
    } else if (size > this.#size) this.#buffer.fill(0, this.#size, size);
    this.#size = size;
  }
}
