/** The requests that change something, alike over the socket and HTTP. Each says who asks, and why. */
import type { Hono } from 'hono';
import { HALT_LEVELS } from '../../model/halt-level.js';
import type { ControlRequest, StopLevel } from '../daemon-api.js';
import type { Env } from './guard.js';
import type { RemoteDaemon } from './remote-daemon.js';
import { RequestFields } from './request-fields.js';

const STOPS: readonly StopLevel[] = ['leave', 'cancel', 'flat'];

export interface ChangeOptions {
  readonly daemon: RemoteDaemon;
  /** On the socket the command line itself asks its user to confirm; a page has to send what its user typed. */
  readonly door: 'socket' | 'http';
}

export function addChanges(app: Hono<Env>, { daemon, door }: ChangeOptions): void {
  const change = (
    path: string,
    known: readonly string[],
    does: (fields: RequestFields, request: ControlRequest) => Promise<object>,
  ) =>
    app.post(path, async (context) => {
      const fields = await RequestFields.of(context, known);
      const request = { by: fields.by(context.get('by')), reason: fields.text('reason') };
      return context.json(await does(fields, request));
    });
  const confirmed = (fields: RequestFields, word: string) => {
    if (door === 'http') fields.confirm(word);
  };

  change('/api/pause', [], async (_, request) => {
    return { paused: true, ...(await daemon.call('pause', request)) };
  });
  change('/api/resume', ['level', 'mark'], async (fields, request) => {
    confirmed(fields, fields.oneOf('level', [...HALT_LEVELS, 'none']));
    await daemon.call('resume', { ...request, mark: fields.text('mark') });
    return { resumed: true };
  });
  change('/api/cancel', [], async (_, request) => {
    return { canceled: true, ...(await daemon.call('cancelAll', request)) };
  });
  change('/api/flatten', [], async (fields, request) => {
    confirmed(fields, 'flatten');
    await daemon.call('flatten', request);
    return { flattens: true };
  });
  change('/api/stop', ['level', 'thenFlat'], async (fields, request) => {
    const level = fields.oneOf('level', STOPS);
    confirmed(fields, level);
    // A page closes nothing itself.
    const isClosed = fields.flag('thenFlat') && door === 'socket';
    await daemon.call('stop', level, isClosed ? { ...request, thenFlat: true } : request);
    return { stops: level };
  });
  change('/api/set', ['pair', 'params', 'uncertified'], (fields, request) => {
    const pair = fields.text('pair');
    confirmed(fields, pair);
    // Only the command line may waive the certificate, not a page.
    const uncertified = fields.flag('uncertified') && door === 'socket';
    return daemon.call('set', pair, fields.params('params'), { ...request, uncertified });
  });
  // A page must not be able to load code.
  if (door === 'socket') {
    change('/api/swap', ['pair', 'file', 'sha256', 'uncertified'], (fields, request) => {
      const code = { file: fields.text('file'), sha256: fields.text('sha256') };
      return daemon.call('swap', fields.text('pair'), code, {
        ...request,
        uncertified: fields.flag('uncertified'),
      });
    });
  }
}
