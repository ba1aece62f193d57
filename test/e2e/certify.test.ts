import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { oneDocument, run, withFolder } from './program.js';

const ENDLESS = `import { defineStrategy } from 'tickwright';
let trades = 0;
export default defineStrategy({
  name: 'endless',
  create: () => ({ onTrade() { trades++; while (trades > 100); } }),
});
`;

it('a handler without an end is named by its certification, which ends and certifies nothing', () =>
  withFolder(async (cwd) => {
    await writeFile(join(cwd, 'endless.ts'), ENDLESS);
    const { code, stdout, stderr } = await run(['certify', 'endless.ts', '--json'], { cwd });
    expect(code).toBe(3);
    const { valid, violations } = oneDocument(stdout);
    expect(valid).toBe(false);
    expect(violations).toContainEqual(
      expect.objectContaining({ rule: 'ends', what: 'onTrade ran for 10 s without an end' }),
    );
    expect(stderr).toMatch(/no certificate is written.* after [12] of \d+ runs nothing more was run/);
  }));
