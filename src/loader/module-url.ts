/**
 * Finds the modules of this program. The build puts many of them into one file, so a module does not know its own place.
 * It only knows the folder above all of them: dist/ when installed, src/ under a test runner that reads TypeScript.
 */

/** Folder within the package into which benches and test programs are bundled before they run. */
const BUNDLES = '/node_modules/.cache/tickwright/';

const [ROOT, EXTENSION] = rootOf(import.meta.url);

/** File URL of the package, with a slash at its end. */
export const PACKAGE_URL = new URL('../', ROOT);

/** URL of a module that is a file of its own, by its path in src/ without its extension. */
export function moduleUrl(path: string): URL {
  return new URL(`${path}${EXTENSION}`, ROOT);
}

/**
 * The innermost folder dist/ or src/ above a module; the module's own folder when a user has bundled it into another
 * program.
 */
export function rootOf(url: string): readonly [root: string, extension: string] {
  const bundles = url.lastIndexOf(BUNDLES);
  if (bundles >= 0) return [`${url.slice(0, bundles)}/src/`, '.ts'];
  const dist = url.lastIndexOf('/dist/');
  const src = url.lastIndexOf('/src/');
  if (dist > src) return [url.slice(0, dist + '/dist/'.length), '.js'];
  if (src >= 0) return [url.slice(0, src + '/src/'.length), '.ts'];
  return [new URL('./', url).href, '.js'];
}
