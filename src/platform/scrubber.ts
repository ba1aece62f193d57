const REDACTED = '[redacted]';
/** Shorter texts are words of any log line; replacing them would hide the log and protect nothing. */
const SHORTEST = 4;

/** Takes known secrets out of text, in every form they are likely to appear in. */
export interface Scrubber {
  /** From now on this secret, and its base64, url-encoded, hex and JSON forms, are replaced. */
  add(secret: string): void;
  scrub(text: string): string;
}

export function createScrubber(secrets: readonly string[] = []): Scrubber {
  const forms = new Set<string>();
  let pattern: RegExp | undefined;

  function add(secret: string): void {
    if (secret.length < SHORTEST) return;
    for (const form of formsOf(secret)) if (form.length >= SHORTEST) forms.add(form);
    // Longest first: a form must not be hidden by a shorter one inside it.
    const longestFirst = [...forms].sort((a, b) => b.length - a.length);
    pattern = new RegExp(longestFirst.map(literally).join('|'), 'g');
  }

  for (const secret of secrets) add(secret);
  return { add, scrub: (text) => (pattern === undefined ? text : text.replace(pattern, REDACTED)) };
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  const plain = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    hex,
    hex.toUpperCase(),
    ...insideBase64(bytes),
  ];
  return plain.flatMap((form) => [form, inJson(form), inJson(inJson(form))]);
}

/** As inside a JSON text; twice is JSON that was logged as a field. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** What of the secret shows in base64, whatever stands before and behind it (`user:secret`), in both alphabets. */
function insideBase64(bytes: Buffer): string[] {
  const found: string[] = [];
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const first = before === 0 ? 0 : before + 1;
    // The last character holds bits of what follows, unless the bytes fill it.
    const last = (before + bytes.length) % 3 === 0 ? text.length : text.length - 1;
    const certain = text.slice(first, last);
    found.push(certain, certain.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(certain));
  }
  return found;
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
