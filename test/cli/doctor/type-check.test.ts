import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import { typeCheck } from '../../../src/cli/doctor/type-check.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { folder } from '../../storage/support.js';

let project: string;
beforeEach(async () => {
  project = join(await folder(), 'packages', 'bot');
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'tsconfig.json'), '{ "compilerOptions": { "types": [] } }');
});

/** What npm would put there: in the project, or at the root of the workspace that it is in. */
async function install(place: string): Promise<void> {
  const modules = join(project, place, 'node_modules');
  await mkdir(modules);
  await symlink(
    fileURLToPath(new URL('../../../node_modules/typescript', import.meta.url)),
    join(modules, 'typescript'),
  );
}

it.each(['.', '../..'])('is by the TypeScript that Node finds from the project: %s', async (place) => {
  await install(place);
  await writeFile(join(project, 'one.ts'), 'export const one: number = 1;\n');
  expect(await typeCheck(thisMachine(), project)).toMatchObject({ status: 'ok', detail: 'hold' });
  await writeFile(join(project, 'one.ts'), "export const one: number = 'one';\n");
  const { status, detail } = await typeCheck(thisMachine(), project);
  expect(status).toBe('fail');
  expect(detail).toMatch(/^one\.ts.*TS2322/);
});

it('is not said to hold of a strategy that the compiler has not read', async () => {
  await install('.');
  const config = { compilerOptions: { types: [] }, include: ['strategies'] };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
  for (const name of ['strategies', 'bots']) {
    await mkdir(join(project, name));
    await writeFile(join(project, name, 'one.ts'), "export const one: number = Number('1');\n");
  }
  const [inside, outside] = ['strategies', 'bots'].map((name) => join(project, name, 'one.ts')) as [
    string,
    string,
  ];
  expect(await typeCheck(thisMachine(), project, [inside])).toMatchObject({ status: 'ok', detail: 'hold' });
  expect(await typeCheck(thisMachine(), project, [inside, outside])).toMatchObject({
    status: 'warn',
    detail: 'hold, but were not checked of bots/one.ts: tsconfig.json does not include it',
  });
  // A configuration that only refers to others reads nothing itself.
  await writeFile(join(project, 'tsconfig.app.json'), JSON.stringify(config));
  const references = [{ path: './tsconfig.app.json' }];
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ files: [], references }));
  expect(await typeCheck(thisMachine(), project, [inside])).toMatchObject({ status: 'warn' });
});

it('does not take place without one, nor without a tsconfig.json', async () => {
  expect(await typeCheck(thisMachine(), project)).toMatchObject({
    status: 'warn',
    detail: 'not checked: typescript is not installed here',
  });
  expect(await typeCheck(thisMachine(), join(project, '..'))).toMatchObject({ status: 'ok' });
});
