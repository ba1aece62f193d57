/** An address of ntfy: the last part of its path is the topic, and a message goes to what stands before it. */
export interface NtfyAddress {
  readonly server: string;
  readonly topic: string;
}

/** @throws URIError if the topic cannot be decoded */
export function ntfyAddress(address: string): NtfyAddress {
  const url = new URL(address);
  const path = url.pathname.replace(/\/+$/, '');
  const slash = path.lastIndexOf('/');
  return {
    server: `${url.origin}${path.slice(0, slash)}/${url.search}`,
    topic: decodeURIComponent(path.slice(slash + 1)),
  };
}

/** What a URL must be to be an address of ntfy. */
export const NTFY_EXPECTED = 'an address that ends with a topic, in which a % is written %25';

/** Whether the URL has a topic, and one that can be decoded. */
export function hasTopic(url: string): boolean {
  try {
    return ntfyAddress(url).topic !== '';
  } catch {
    return false;
  }
}
