// Whoever passes a package on passes its licence on: puts those of the packages that a bundle has inside into a folder.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** `metafile` as esbuild gives it for a build that ran in `root`. @throws for a package without a licence file */
export function passOnLicenses({ inputs }, root, folder) {
  const inside = Object.keys(inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  );
  mkdirSync(folder, { recursive: true });
  for (const name of new Set(inside)) {
    const from = join(root, 'node_modules', name);
    const files = readdirSync(from).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
    if (files.length === 0) throw new Error(`${name} must have a licence to pass on, received no such file`);
    for (const file of files)
      copyFileSync(join(from, file), join(folder, `${name.replace('/', '-')}-${file}`));
  }
}
