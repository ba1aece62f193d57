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

const DRAWING = `import { defineStrategy, holdPosition } from 'tickwright';
export default defineStrategy({
  name: 'drawing',
  create: (_, { random }) => {
    let drawn: number | undefined;
    return {
      onTrade() {
        drawn ??= random.next();
        if (THROWS) throw new Error(\`drew \${drawn}\`);
        return holdPosition('0.001');
      },
    };
  },
});
`;

it('what one seed has refuted stays so when the certificate is made anew, although that takes other seeds', () =>
  withFolder(async (cwd) => {
    const at77 = ['--scenario', 'calm', '--seed', '77', '--json'];
    await writeFile(join(cwd, 'drawing.ts'), DRAWING.replace('THROWS', 'true'));
    const first = oneDocument((await run(['certify', 'drawing.ts', ...at77], { cwd })).stdout);
    const drawn = /drew ([\d.]+)/.exec(JSON.stringify(first['violations']))?.[1];
    expect(drawn).toBeDefined();
    await writeFile(join(cwd, 'drawing.ts'), DRAWING.replace('THROWS', `drawn === ${drawn}`));

    const one = oneDocument((await run(['certify', 'drawing.ts', ...at77], { cwd })).stdout);
    const written = () => readFile(resolve(cwd, String(one['certificate'])), 'utf8');
    const problem = async () => certificateProblem(await written(), String(one['hash']), SCENARIOS.length);
    expect(await problem()).toMatch(/1 violations, the first one throws in calm with seed 77/);

    const { code, stdout } = await run(['certify', 'drawing.ts', '--json'], { cwd });
    const whole = oneDocument(stdout);
    expect([code, whole['valid'], whole['hash']]).toEqual([3, false, one['hash']]);
    expect(await problem()).toMatch(/1 violations, the first one throws in calm with seed 77/);
  }));
