import type { Approved, Refusal } from '../model/command.js';

/** Where decisions are written down before anything leaves. Durability and recovery come with its file adapter. */
export interface Journal {
  /** Returns only when the command is as durable as the adapter promises; the request leaves afterwards. */
  command(command: Approved): void;
  refusal(refusal: Refusal): void;
}

/** For runs whose commands cannot reach a real venue. */
export const NO_JOURNAL: Journal = { command: () => undefined, refusal: () => undefined };
