import { readFileSync } from 'node:fs';

/** A page of documentation, by what stands in it. */
export interface Page {
  readonly text: string;
  /** Blocks that a shell is to run. */
  readonly shellBlocks: readonly string[];
  /** What stands between backticks in the prose. */
  readonly inline: readonly string[];
}

/** `path` from the root of the repository. */
export function readPage(path: string): Page {
  const text = readFileSync(path, 'utf8');
  const prose = text.replace(/```[\s\S]+?```/g, '');
  return {
    text,
    shellBlocks: [...text.matchAll(/```sh\n([\s\S]+?)```/g)].map(([, block]) => block as string),
    inline: [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code as string),
  };
}
