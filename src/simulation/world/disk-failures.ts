/** Disk calls that can fail. */
export type DiskCall = 'append' | 'sync' | 'truncate' | 'write' | 'read';

/** Which calls fail: from the `nth` one on (default 1), counting those on paths that contain `path`. */
export interface DiskFailure {
  readonly nth?: number | undefined;
  readonly path?: string | undefined;
  /** Number of calls that fail; default 1. */
  readonly times?: number | undefined;
}

interface Ordered {
  readonly call: DiskCall;
  readonly path: string;
  skip: number;
  times: number;
}

/** Failures that were requested but did not happen yet. */
export class DiskFailures {
  #ordered: Ordered[] = [];

  order(call: DiskCall, { nth = 1, path = '', times = 1 }: DiskFailure): void {
    this.#ordered.push({ call, path, skip: nth - 1, times });
  }

  clear(): void {
    this.#ordered = [];
  }

  /** Whether this call fails. To be called exactly once per disk call. */
  strike(call: DiskCall, path: string): boolean {
    for (const ordered of this.#ordered) {
      if (ordered.call !== call || !path.includes(ordered.path)) continue;
      if (ordered.skip > 0) {
        ordered.skip -= 1;
        continue;
      }
      ordered.times -= 1;
      this.#ordered = this.#ordered.filter(({ times }) => times > 0);
      return true;
    }
    return false;
  }
}
