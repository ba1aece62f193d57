/** Whoever started this process and starts it again: an init system. */
export interface Supervisor {
  /** It must hear `alive` at least this often, ms; `undefined`: it does not ask for it. */
  readonly watchdogMs: number | undefined;
  ready(status: string): void;
  alive(): void;
  stopping(): void;
}
