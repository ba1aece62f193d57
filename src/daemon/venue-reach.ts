import type { DaemonPair } from './daemon-pair.js';

/** Detects that the venue is unreachable: the polls of no running pair are answered. Where none runs, what was known last holds. */
export class VenueReach {
  #unreachable = false;

  /** The change since the last call; `undefined`: no change. */
  look(
    pairs: readonly Pick<DaemonPair, 'managed' | 'silentMs'>[],
  ): { readonly reachable: boolean; readonly reason: string } | undefined {
    const running = pairs.filter(({ managed }) => managed.isRunning);
    if (running.length === 0) return undefined;
    const silences = running.flatMap(({ silentMs }) => silentMs ?? []);
    const isUnreachable = silences.length === running.length;
    if (isUnreachable === this.#unreachable) return undefined;
    this.#unreachable = isUnreachable;
    const reason = isUnreachable
      ? `no poll was answered for ${Math.round(Math.min(...silences) / 1_000)} s`
      : 'polls are answered again';
    return { reachable: !isUnreachable, reason };
  }
}
