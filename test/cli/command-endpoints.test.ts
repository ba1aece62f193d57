import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMMAND_ENDPOINTS } from '../../src/cli/command-endpoints.js';
import { createProgram } from '../../src/cli/program.js';

/** The 31 endpoints of the specification, by hand. */
const SPECIFIED = [
  ...'trades pairs assets completed_orders fills triggers deposits filled_orders active_orders order position'.split(
    ' ',
  ),
  ...'active_positions cancelled_orders completed_positions depth ohlcv orders partially_filled_orders'.split(
    ' ',
  ),
  ...'personal ticker time withdrawals'.split(' '),
].map((name) => `GET /${name}`);
const SPECIFIED_POSTS =
  'draw fund leverage auth/withdraw auth/cancel auth/cancel/bulk auth/close auth/order auth/order/bulk'
    .split(' ')
    .map((name) => `POST /${name}`);

describe('the table of commands and endpoints', () => {
  it('names every endpoint of the specification, and no other', () => {
    const reached = new Set(COMMAND_ENDPOINTS.map(({ method, path }) => `${method} ${path}`));
    expect([...reached].sort()).toEqual([...SPECIFIED, ...SPECIFIED_POSTS].sort());
    expect(reached.size).toBe(31);
  });

  it.each(COMMAND_ENDPOINTS)('$command is a command with these flags and arguments', ({ command }) => {
    const [name, ...rest] = command.split(' ');
    const found = createProgram(() => undefined).commands.find((each) => each.name() === name);
    const flags = rest.filter((word) => word.startsWith('--'));
    expect(found?.options.map(({ long }) => long)).toEqual(expect.arrayContaining(flags));
    if (rest.includes('ID')) expect(found?.registeredArguments).not.toHaveLength(0);
    const state = rest[rest.indexOf('--state') + 1];
    if (rest.includes('--state')) {
      expect(found?.options.find(({ long }) => long === '--state')?.argChoices).toContain(state);
    }
  });

  it('is no part of the program', () => {
    const main = fileURLToPath(new URL('../../src/cli/program.ts', import.meta.url));
    expect(readFileSync(main, 'utf8')).not.toContain('command-endpoints');
  });
});
