/** `npm run docs`: writes the generated pages. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { agesOfFigures } from '../model-range/measured-code.js';
import { pages } from './pages.js';

for (const { path, text } of pages()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  process.stdout.write(`${path}\n`);
}
for (const line of await agesOfFigures()) process.stdout.write(`${line}\n`);
