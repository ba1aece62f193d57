import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { certificateProblem } from '../../src/certify/certificate.js';
import { SCENARIOS } from '../../src/certify/scenario.js';
import { oneDocument, run, withFolder } from './program.js';

const ENDLESS = `import { defineStrategy } from 'tickwright';
let trades = 0;
export default defineStrategy({
  name: 'endless',
  create: () => ({ onTrade() { trades++; while (trades > 100); } }),
});
`;

it('a handler without an end is named by its certification, which ends and refutes what was certified before', () =>
  withFolder(async (cwd) => {
    await writeFile(join(cwd, 'endless.ts'), ENDLESS);
    const { code, stdout, stderr } = await run(['certify', 'endless.ts', '--json'], { cwd });
    expect(code).toBe(3);
    const { valid, violations, certificate, hash } = oneDocument(stdout);
    expect(valid).toBe(false);
    // In the place of one that may be there from fewer seeds.
    const written = await readFile(resolve(cwd, String(certificate)), 'utf8');
    expect(certificateProblem(written, String(hash), SCENARIOS.length)).toMatch(
      /violations, the first one ends/,
    );
    expect(violations).toContainEqual(
      expect.objectContaining({ rule: 'ends', what: 'onTrade ran for 10 s without an end' }),
    );
    expect(stderr).toMatch(/not valid: .* after [12] of \d+ runs nothing more was run/);
  }));
