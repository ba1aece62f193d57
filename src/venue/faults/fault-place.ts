import type { FaultPlace } from '../../model/fault-rule.js';
import { type FaultRequest, isRead } from './fault-request.js';

/** A place as a test whether a request is at it. */
export function placeTest(place: FaultPlace): (request: FaultRequest) => boolean {
  const { method, account, calls = 'all' } = place;
  const paths = place.paths === undefined ? undefined : pathPattern(place.paths);
  return (request) =>
    (method === undefined || request.method === method) &&
    (account === undefined || request.account === account) &&
    (calls === 'all' || (calls === 'read') === isRead(request)) &&
    (paths === undefined || paths.test(request.path));
}

function pathPattern(paths: readonly string[]): RegExp {
  const each = paths.map((path) => path.split('*').map(literally).join('.*'));
  return new RegExp(`^(?:${each.join('|')})$`, 's');
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
