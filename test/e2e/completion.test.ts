import { expect, it } from 'vitest';
import { run } from './program.js';

it.each([
  ['bash', /\ncomplete -F _tickwright tickwright\n$/],
  ['zsh', /^#compdef tickwright\n/],
  ['fish', /\ncomplete -c tickwright -f\n/],
])('`tickwright completion %s` prints a script with the strategies that ship', async (shell, said) => {
  const { code, stdout, stderr } = await run(['completion', shell]);
  expect(stdout).toMatch(said);
  expect(stdout).toContain('market-maker');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

it('a shell that is none of the three is a usage error', async () => {
  const { code, stdout, stderr } = await run(['completion', 'tcsh']);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});
