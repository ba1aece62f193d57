import type { DaemonPair } from './daemon-pair.js';

/** Whether anybody hears from the venue: it is gone when the polls of no pair are answered. */
export class VenueReach {
  #unreachable = false;

  /** What has turned since the look before; `undefined` for nothing. */
  look(
    pairs: readonly Pick<DaemonPair, 'managed' | 'silentMs'>[],
  ): { readonly reachable: boolean; readonly reason: string } | undefined {
    const running = pairs.filter(({ managed }) => managed.isRunning);
    const silences = running.flatMap(({ silentMs }) => silentMs ?? []);
    const isUnreachable = running.length > 0 && silences.length === running.length;
    if (isUnreachable === this.#unreachable) return undefined;
    this.#unreachable = isUnreachable;
    const reason = isUnreachable
      ? `no poll was answered for ${Math.round(Math.min(...silences) / 1_000)} s`
      : 'polls are answered again';
    return { reachable: !isUnreachable, reason };
  }
}
