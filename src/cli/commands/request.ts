import { isAuthRefusal, isDefiniteRefusal, type VenueProfile } from '../../client/profile.js';
import type { PostAnswer } from '../../client/poster.js';
import { UsageError } from '../../model/errors.js';
import { hasConsent, personAtTerminal, requireConsent } from '../order/consent.js';
import { withAccount, withVenue, type WriteOptions } from '../settings/venue-access.js';
import { type Failure, reportFailure, sameVenue } from '../order/write-report.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { printJson, printText } from '../view/output.js';
import { printable } from '../view/printable.js';

export interface RequestOptions extends WriteOptions {
  /** Default: as required by the method and path. */
  readonly auth?: 'public' | 'key' | 'signed' | undefined;
}

type Fields = Readonly<Record<string, string>>;

/**
 * Sends any request, for what no command covers, and prints the venue's answer. It bypasses the gate: it sends exactly
 * what is given.
 */
export async function request(
  method: 'GET' | 'POST',
  path: string,
  pairs: readonly string[],
  options: RequestOptions,
): Promise<ExitCode> {
  const fields = fieldsOf(pairs);
  const auth = options.auth ?? usualAuth(method, path);
  if (method === 'POST') {
    if (auth === 'public') throw mismatch('POST must go with --auth key or signed', auth);
    return write(path, fields, auth, options);
  }
  if (auth === 'signed')
    throw mismatch('GET must go with --auth public or key: there is no body to sign', auth);
  const query = { method, path, query: fields } as const;
  const result =
    auth === 'public'
      ? await withVenue(options, ({ api }) => api.request({ ...query, auth }))
      : await withAccount(options, ({ api }) => api.request({ ...query, auth }));
  await printResult(result, options.json);
  return EXIT.ok;
}

async function write(
  path: string,
  fields: Fields,
  auth: 'key' | 'signed',
  options: RequestOptions,
): Promise<ExitCode> {
  const person = personAtTerminal();
  requireConsent(options.yes, person);
  return withAccount(options, async ({ api, url, profile }) => {
    const body = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    const what = [`POST ${path} (${auth})`, ...body].join(' ');
    if (!(await hasConsent(options.yes, `${what}\nat ${url}, past the gate`, person))) return EXIT.failure;
    const answer = await api.request({ method: 'POST', path, auth, fields });
    if (answer.kind === 'result') {
      await printResult(answer.result, options.json);
      return EXIT.ok;
    }
    const flags = sameVenue(options);
    return reportFailure(failureOf(answer, profile), {
      json: options.json,
      what: `POST ${path}`,
      lookAt: [`orders --state all --limit 20${flags}`, `positions${flags}`, `balances${flags}`],
    });
  });
}

/** An error envelope proves that nothing was done only if the profile lists it as a refusal. */
function failureOf(answer: Exclude<PostAnswer, { kind: 'result' }>, profile: VenueProfile): Failure {
  switch (answer.kind) {
    case 'error': {
      const kind = isDefiniteRefusal(profile, answer.message) ? 'refused' : 'in-doubt';
      const reason = `${answer.message} (HTTP ${answer.status}, code ${answer.code})`;
      return isAuthRefusal(profile, answer) ? { kind, reason, isUnauthorized: true } : { kind, reason };
    }
    case 'unreadable':
      return { kind: 'in-doubt', reason: answer.what };
    case 'not-sent':
      return answer;
    case 'lost':
      return { kind: 'in-doubt', reason: answer.reason };
  }
}

function usualAuth(method: 'GET' | 'POST', path: string): 'public' | 'key' | 'signed' {
  if (method === 'GET') return 'public';
  return path.startsWith('/auth/') ? 'signed' : 'key';
}

function fieldsOf(pairs: readonly string[]): Fields {
  const fields: Record<string, string> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at);
    if (at < 1) {
      throw new UsageError(
        'TICKWRIGHT_E_REQUEST',
        `a field must be name=value, received ${JSON.stringify(pair)}`,
      );
    }
    if (Object.hasOwn(fields, name)) {
      throw new UsageError('TICKWRIGHT_E_REQUEST', `a field must be there once, received ${name} twice`);
    }
    fields[name] = pair.slice(at + 1);
  }
  return fields;
}

function mismatch(must: string, received: string): UsageError {
  return new UsageError('TICKWRIGHT_E_REQUEST', `${must}, received ${received}`);
}

async function printResult(result: unknown, json: true | undefined): Promise<void> {
  if (json === true) {
    await printJson({ result });
    return;
  }
  const text = JSON.stringify(result, undefined, 2) ?? 'nothing';
  // The line breaks are ours. Text within strings comes from the venue, so control characters are replaced.
  await printText(text.split('\n').map(printable).join('\n'));
}
