/** A notice in the format of each receiver's API. */
import type { AlertReceiver } from '../../config/alert-schema.js';
import { ntfyAddress } from '../../config/ntfy-address.js';
import { utcText } from '../../model/calendar.js';
import type { Notice } from './notifier.js';

/** Where a receiver is. Some addresses contain a token, so they are secret. */
export interface Address {
  readonly url: string;
  /** Bearer token, or the bot's token of telegram. */
  readonly token: string | undefined;
  readonly chat: string | undefined;
}

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const TELEGRAM_URL = 'https://api.telegram.org';

const NTFY_PRIORITIES = { info: 3, warning: 4, critical: 5 } as const;
/** The limit of the strictest receiver. */
const MOST_CHARACTERS = 1_900;

/** @throws URIError if the topic of ntfy cannot be decoded, or the token of telegram cannot be encoded */
export function postOf(to: AlertReceiver, address: Address, notice: Notice): Post {
  switch (to) {
    case 'webhook':
      return json(address, address.url, { schemaVersion: 1, ...notice, text: textOf(notice) });
    case 'slack':
      return json(address, address.url, { text: textOf(notice, escapedForSlack) });
    case 'discord':
      // The text must never notify anybody by a mention, nor show the preview of a link.
      return json(address, address.url, {
        content: textOf(notice, escapedForDiscord),
        allowed_mentions: { parse: [] },
        flags: 4,
      });
    case 'ntfy': {
      const { server, topic } = ntfyAddress(address.url);
      return json(address, server, {
        topic,
        title: headOf(notice),
        message: [...notice.lines, utcText(notice.time)].join('\n').slice(0, MOST_CHARACTERS),
        priority: notice.phase === 'end' ? NTFY_PRIORITIES.info : NTFY_PRIORITIES[notice.severity],
        tags: [notice.phase === 'end' ? 'ok' : notice.severity],
      });
    }
    case 'telegram': {
      const { url, token = '', chat } = address;
      // Without a parse mode the text is plain.
      return json({ ...address, token: undefined }, `${url}/bot${encodeURI(token)}/sendMessage`, {
        chat_id: chat,
        text: textOf(notice),
        link_preview_options: { is_disabled: true },
      });
    }
    default:
      return to satisfies never;
  }
}

function json({ token }: Address, url: string, body: object): Post {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'tickwright',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return { url, headers, body: JSON.stringify(body) };
}

function headOf({ source, phase, severity, title }: Notice): string {
  const mark = phase === 'end' ? 'OK' : severity.toUpperCase();
  return `[${mark}] ${source}: ${title}`;
}

function textOf(notice: Notice, escape: (text: string) => string = (text) => text): string {
  const text = [headOf(notice), ...notice.lines, utcText(notice.time)].map(escape).join('\n');
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1).trimEnd()}…`;
}

/** The three characters that it takes for more than text. */
function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapedForDiscord(text: string): string {
  return text.replaceAll(/[\\*_~`|>#[\]()<@:-]/g, String.raw`\$&`);
}
