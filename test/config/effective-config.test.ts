import { describe, expect, it } from 'vitest';
import { effectiveConfig } from '../../src/config/effective-config.js';

const effective = (text: string, environment: Readonly<Record<string, string>> = {}) =>
  effectiveConfig({ path: '/bots/tickwright.yaml', text, environment });

/** By path. */
const table = (text: string, environment?: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    effective(text, environment).map(({ path, value, origin }) => [path, `${value} (${origin})`]),
  );

describe('what of a configuration counts', () => {
  it('of the least one is defaults, each as it would be written; nothing is told of what is not there', () => {
    expect(table('version: 1\n')).toEqual({
      version: '1 (file)',
      mode: 'paper (default)',
      state: 'var (default)',
      'poll.trades': '1s (default)',
      'poll.position': '1s (default)',
      'poll.orders': '1s (default)',
      'poll.fills': '1s (default)',
      'poll.ticker': '1s (default)',
      'control.dashboard': 'false (default)',
      'daemon.memory': '512MiB (default)',
      'daemon.hang': '30s (default)',
      'daemon.sentinel': 'false (default)',
      'sentinel.level': 'cancel (default)',
      'sentinel.hung': '20s (default)',
      'sentinel.dead': '15s (default)',
      'sentinel.ending': '90s (default)',
      'sentinel.blind': '60s (default)',
    });
  });

  it('is what the file says where it says something, with the variables that stand in it, in lists too', () => {
    const text = `
version: 1
venue: { url: "\${WHERE:-http://127.0.0.1:1}" }
state: "$\${HOME}/x"
poll: { ticker: 5s }
strategies:
  - { file: a.ts, pair: A, params: { fast: 5, quantity: 0.10 } }
  - { file: "\${FILE}", pair: B, onDoubt: hold, warmUp: 30h }
alerts:
  - { to: webhook, url: https://example.com/x }
data: [one, two]
`;
    const found = table(text, { FILE: 'b.ts' });
    expect(found).toMatchObject({
      'venue.url': 'http://127.0.0.1:1 (file)',
      state: '${HOME}/x (file)',
      'poll.ticker': '5s (file)',
      'poll.trades': '1s (default)',
      'strategies[0].file': 'a.ts (file)',
      'strategies[0].params.fast': '5 (file)',
      'strategies[0].params.quantity': '0.10 (file)',
      'strategies[0].onDoubt': 'cancel (default)',
      'strategies[0].warmUp': '1h (default)',
      'strategies[1].file': 'b.ts (environment)',
      'strategies[1].onDoubt': 'hold (file)',
      'strategies[1].warmUp': '30h (file)',
      'alerts[0].url': 'https://example.com/x (file)',
      'data[0]': 'one (file)',
      'data[1]': 'two (file)',
    });
    expect(found).not.toHaveProperty('strategies[1].params');
    expect(found).not.toHaveProperty('venue.apiKeyFile');
  });

  it('is from the environment where a variable was set, not where all of them fell back to their defaults', () => {
    const text =
      'version: 1\nvenue: { url: "${URL:-http://127.0.0.1:1}" }\nstate: "${A:-var}/${B:-bot}"\n' +
      'poll: { trades: "${POLL:-2s}" }\ncontrol:\n  dashboard: ${DASH:-true}\ndata: ["${DATA:-data}"]\n';
    const origins = (environment: Readonly<Record<string, string>>) =>
      effective(text, environment)
        .filter(({ origin }) => origin === 'environment')
        .map(({ path, value }) => `${path}: ${value}`);
    expect(origins({})).toEqual([]);
    // One that is empty is as one that is not set.
    expect(origins({ URL: '', A: '', B: 'two' })).toEqual(['state: var/two']);
    // It counts that it was set, not what it says.
    expect(origins({ POLL: '2s', DASH: 'false', DATA: 'data' })).toEqual([
      'poll.trades: 2s',
      'control.dashboard: false',
      'data[0]: data',
    ]);
    expect(table(text)).toMatchObject({
      'venue.url': 'http://127.0.0.1:1 (file)',
      state: 'var/bot (file)',
      'control.dashboard': 'true (file)',
    });
  });

  it('is nothing where the file is not what it must be', () => {
    expect(() => effective('version: 1\nmood: bad\n')).toThrow(
      '/bots/tickwright.yaml:2:1 mood: expected one of',
    );
  });
});
