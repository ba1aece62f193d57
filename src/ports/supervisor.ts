/** The init system that started this process and restarts it. */
export interface Supervisor {
  /** `alive` must be called at least this often, ms; `undefined`: there is no watchdog. */
  readonly watchdogMs: number | undefined;
  ready(status: string): void;
  alive(): void;
  stopping(): void;
}
