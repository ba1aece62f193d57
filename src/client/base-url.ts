import { UsageError } from '../model/errors.js';

/** Environment variables about TLS; the platform reads them and hands them in. */
export interface TlsEnvironment {
  readonly NODE_TLS_REJECT_UNAUTHORIZED?: string | undefined;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** True for an address on this machine, where the venue is a simulated one. */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
}

/** One text for all spellings of an address. */
export function addressText(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replace(/\/+$/, '') : url;
}

/** One text for all addresses of one venue: the names of this machine count as equal. */
export function venueText(url: string): string {
  if (!isLoopback(url)) return addressText(url);
  const here = new URL(url);
  here.hostname = 'localhost';
  return addressText(here.href);
}

/**
 * The venue's address, without a slash at its end.
 *
 * @throws UsageError unless it is https (http on loopback only), names no user, query or fragment, and certificates
 * are verified: a signed body is as good as the key until its time window is over.
 */
export function checkedBaseUrl(text: string, environment: TlsEnvironment): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const loopback = url !== undefined && LOOPBACK.test(url.hostname);
  if (url === undefined || !(url.protocol === 'https:' || (url.protocol === 'http:' && loopback))) {
    throw new UsageError(
      'TICKWRIGHT_E_VENUE_URL',
      `the venue's address must be https://… (http:// on loopback only), received ${shown(text, url)}`,
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(
      'TICKWRIGHT_E_VENUE_URL',
      `the venue's address must have no user, query or fragment, received ${shown(text, url)}`,
    );
  }
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    throw new UsageError(
      'TICKWRIGHT_E_TLS',
      'NODE_TLS_REJECT_UNAUTHORIZED must not be 0: certificates would not be verified',
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** An address can hold a password. One without a host, such as `localhost:8085`, is shown as it was typed. */
function shown(text: string, url: URL | undefined): string {
  if (url !== undefined && url.host !== '' && !text.includes('@')) {
    return JSON.stringify(`${url.protocol}//${url.host}`);
  }
  // A password may contain ? and #, so remove everything before the last @ first.
  return JSON.stringify(text.replace(/^(\w*:?\/\/)?[^]*@/, '$1…@').replace(/[?#][^]*$/, ''));
}
