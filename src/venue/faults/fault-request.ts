/** A request as a fault plan sees it, on whatever wire it came. */
export interface FaultRequest {
  /** Upper case. */
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Whose key it carries, if that is one of the venue's. */
  readonly account: string | undefined;
  /** Venue time of its arrival, ms. */
  readonly time: number;
}

export function isRead({ method }: FaultRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
