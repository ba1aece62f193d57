/** Any venue at a base address, as raw HTTP, with what its owner allows. */
import { CannotDo } from '../cannot-do.js';
import type { Door } from '../door.js';
import type { Need } from '../need.js';
import { rawWire } from './raw-http.js';
import { getRequest, postRequest } from './requests.js';

export interface RemoteOptions {
  readonly url: string;
  readonly key?: string | undefined;
  readonly secret?: string | undefined;
  /** Orders may be placed; they are taken back at once. */
  readonly write: boolean;
}

const OWN_VENUE: Readonly<Record<Exclude<Need, 'key' | 'write'>, string>> = {
  'quiet venue': "expects the exact figures of the suite's own venue",
  'two accounts': 'needs two accounts that trade with each other alone',
  admin: 'needs the admin door',
  time: 'needs a clock that the suite moves',
};

export function remoteDoor({ url, key, secret, write }: RemoteOptions): Door {
  const wire = rawWire(url);
  const none = () =>
    Promise.reject(new CannotDo('only the suite’s own venue has an admin door and a clock to move'));
  return {
    name: url,
    lacks(need) {
      if (need === 'key') return key === undefined ? 'reads an account: give --key' : undefined;
      if (need !== 'write') return OWN_VENUE[need];
      if (!write) return 'places orders: give --write';
      return secret === undefined ? 'signs requests: give --secret' : undefined;
    },
    get: (path, query, who) => wire.send(getRequest(path, query, who === undefined ? undefined : key)),
    async post(path, fields) {
      // By the venue's own clock, which may be another than ours.
      const { result } = await wire.send(getRequest('/time', {}, undefined));
      const timestamp = typeof result === 'number' ? result : Date.now();
      return wire.send(postRequest(path, { ...fields, timestamp }, { key: key ?? '', secret: secret ?? '' }));
    },
    send: wire.send,
    credentials: () => ({ key: key ?? '', secret: secret ?? '' }),
    admin: none,
    now: () => Date.now(),
    advance: none,
    close: async () => wire.close(),
  };
}
