/** What can fail on a disk. */
export type DiskCall = 'append' | 'sync' | 'truncate' | 'write' | 'read';

/** Which call fails: the `nth` from now on (default 1) of those on paths that contain `path`, and as many as `times`. */
export interface DiskFailure {
  readonly nth?: number | undefined;
  readonly path?: string | undefined;
  /** Default 1. */
  readonly times?: number | undefined;
}

interface Ordered {
  readonly call: DiskCall;
  readonly path: string;
  skip: number;
  times: number;
}

/** Failures that were ordered and did not happen yet. */
export class DiskFailures {
  #ordered: Ordered[] = [];

  order(call: DiskCall, { nth = 1, path = '', times = 1 }: DiskFailure): void {
    this.#ordered.push({ call, path, skip: nth - 1, times });
  }

  clear(): void {
    this.#ordered = [];
  }

  /** Whether this call fails; to be asked once for each. */
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
