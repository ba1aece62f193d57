import type { Observable } from 'rxjs';
import type { Approved } from '../model/command.js';
import type { ExecutionReport } from '../model/report.js';

/** Where approved commands go: the signed client through `src/execution`, or a simulated venue in process. */
export interface OrderGateway {
  /** Sends the command at most once; what becomes of it arrives as reports. Never throws. */
  send(command: Approved): void;
  readonly reports$: Observable<ExecutionReport>;
}
