/** A request as a fault plan sees it, whatever carried it. */
export interface FaultRequest {
  /** In upper case. */
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The account whose key the request carries; `undefined` if that is not a key of the venue. */
  readonly account: string | undefined;
  /** Venue time of its arrival, ms. */
  readonly time: number;
}

export function isRead({ method }: FaultRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
