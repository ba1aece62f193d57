const REDACTED = '[redacted]';
/** Shorter texts are words of any log line; replacing them would hide the log and protect nothing. */
const SHORTEST = 4;

/**
 * What a signature looks like (base64 of 32 bytes, plain or url-encoded): a venue may repeat one in what it says, and a
 * signed body with it is as good as a key. Nothing else of ours has this form.
 */
const SIGNATURE =
  /(?<![\w+/-])[\w+/-]{43}(?:=|\\u003d)(?!=)|(?<![A-Za-z0-9])(?:[A-Za-z0-9]|%2[BbFf]){43}%3[Dd]/g;
const SIGNATURE_END = /=|%3[Dd]|\\u003d/;

/** Takes known secrets, and whatever looks like a signature, out of text, in every form they are likely to appear in. */
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
  return {
    add,
    scrub(text) {
      const known = pattern === undefined ? text : text.replace(pattern, REDACTED);
      return SIGNATURE_END.test(known) ? known.replace(SIGNATURE, REDACTED) : known;
    },
  };
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
