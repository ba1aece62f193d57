/** The word that was probably meant: at most a third of its letters away (insert, drop, change, swap). */
export function closest(word: string, words: readonly string[]): string | undefined {
  let best: string | undefined;
  let fewest = Infinity;
  for (const candidate of words) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest && edits <= Math.max(1, Math.floor(candidate.length / 3))) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/** Optimal string alignment: Levenshtein with neighbours swapped as one edit. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + same,
      );
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) edits = Math.min(edits, (beforeLast[j - 2] as number) + 1);
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}
