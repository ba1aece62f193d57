import type { Random } from '../../model/random.js';

/**
 * What becomes of bytes that were written and not synced when the power goes: none of them, the first of them, all with
 * the last of them zeros, or all. `holed` (only when asked for by name): one page of them is missing in the middle.
 */
export type UnsyncedFate = 'lost' | 'torn' | 'zeroed' | 'kept' | 'holed';

const DRAWN: readonly UnsyncedFate[] = ['lost', 'torn', 'zeroed', 'kept'];
const PAGE = 4_096;
const NOTHING = new Uint8Array(0);

/** A write (or a cut: nothing is written) that has not reached the disk, and how to undo it. */
interface Change {
  readonly offset: number;
  readonly length: number;
  /** What stood from `offset` on before, as far as it was changed. */
  readonly old: Uint8Array;
  readonly sizeBefore: number;
}

/** One file: its bytes as a reader sees them, and what of them survives a power loss. */
export class DiskFile {
  readonly mode: number;
  modifiedMs: number;
  /** Its directory is known to name it after a power loss. */
  isNamed = false;
  #buffer: Uint8Array;
  #size: number;
  /** Since the last sync, in order. */
  #changes: Change[] = [];
  /** Written, and a sync failed over them: they are taken for clean and never reach the disk. */
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

  /** A view of the bytes; it is overwritten by what happens to the file later. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size);
  }

  /** A view of the first bytes that survive a power loss for certain; room that was reserved ahead is zeros. */
  get durableBytes(): Uint8Array {
    let end = this.#size;
    for (const { offset } of this.#changes) if (offset < end) end = offset;
    for (const [from] of this.#holes) if (from < end) end = from;
    return this.#buffer.subarray(0, end);
  }

  /** From `offset`, which is inside the file or at its end. */
  write(offset: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const end = offset + bytes.length;
    const overlap = Math.min(end, this.#size);
    const old = overlap > offset ? this.#buffer.slice(offset, overlap) : NOTHING;
    this.#changes.push({ offset, length: bytes.length, old, sizeBefore: this.#size });
    this.#resize(Math.max(this.#size, end));
    this.#buffer.set(bytes, offset);
  }

  /** What is beyond the end is zeros. */
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

  /** The sync said no: what was dirty is out of the disk's sight, though readers still see it. */
  failSync(): void {
    for (const { offset, length } of this.#changes)
      if (length > 0) this.#holes.push([offset, offset + length]);
    this.#changes = [];
  }

  /** What the next process finds; tells what became of the unsynced part, if there was one. */
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
        // The length was written before the contents.
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

  /** Somewhere in one of the changes the disk had got to. */
  #tear(random: Random): void {
    const at = random.integer(0, this.#changes.length - 1);
    const { length } = this.#changes[at] as Change;
    this.#undoFrom(at, length === 0 ? 0 : random.integer(0, length - 1));
  }

  /** All changes after the one at `index`, and of that one all but the first `kept` bytes. */
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

  /** New bytes are zeros. */
  #resize(size: number): void {
    if (size > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(256, size, 2 * this.#buffer.length));
      larger.set(this.bytes);
      this.#buffer = larger;
    } else if (size > this.#size) this.#buffer.fill(0, this.#size, size);
    this.#size = size;
  }
}
