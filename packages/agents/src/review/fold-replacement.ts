import { diffSections } from './diff-lines.ts';

export interface FoldedDiff {
  readonly diff: string;
  /** The word and what it became, and how many hunks are folded; null when the diff is as it was. */
  readonly folded: { readonly from: string; readonly to: string; readonly hunks: number } | null;
}

interface Replacement {
  readonly from: string;
  readonly to: string;
}

const MIN_LINES = 12; // below that, reading the lines costs less than a rule about them
const SHOWN_HUNKS = 3; // enough to see the style of what was replaced
const word = /^\w+$/; // ASCII alone: two words of other scripts can look alike

/**
 * Folds the hunks of a diff in which one word is replaced by another and nothing else changes, as a rename leaves them.
 * Every line of a folded hunk was compared: a reviewer reads the hunks that differ in any other way, and the first few of
 * the others. A hunk that adds or removes a line, or in which the words look alike, is never folded.
 */
export function foldReplacement(diff: string): FoldedDiff {
  const replacement = commonReplacement(diff);
  if (replacement === null) return { diff, folded: null };
  let found = 0;
  const sections = diffSections(diff).map((section) => {
    const [header = '', ...hunks] = section.split(/(?<=\n)(?=@@ )/);
    const folded: string[] = [];
    const shown = hunks.filter((hunk) => {
      if (!isReplacement(hunk, replacement)) return true;
      found += 1;
      if (found <= SHOWN_HUNKS) return true;
      folded.push(/^@@ -\d+(?:,\d+)? \+(\d+)/.exec(hunk)?.[1] ?? '');
      return false;
    });
    return `${header}${shown.join('')}${noteOf(folded)}`;
  });
  const hunks = found - SHOWN_HUNKS;
  return hunks <= 0 ? { diff, folded: null } : { diff: sections.join(''), folded: { ...replacement, hunks } };
}

/** The note in place of the folded hunks of a file: where they begin. No line of a hunk starts like this. */
function noteOf(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `… hunks left out at lines ${lines.join(', ')} …\n`;
}

/** The replacement of a word that explains most changed lines; null when it explains too few to be worth a rule. */
function commonReplacement(diff: string): Replacement | null {
  const counts = new Map<string, number>();
  for (const section of diffSections(diff)) {
    for (const hunk of section.split(/(?<=\n)(?=@@ )/).slice(1)) {
      for (const [removed, added] of pairsOf(hunk) ?? []) {
        const replaced = replacementIn(removed, added);
        if (replaced === null) continue;
        const key = `${replaced.from} ${replaced.to}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  if (most === undefined || most[1] < MIN_LINES) return null;
  const [from = '', to = ''] = most[0].split(' ');
  return { from, to };
}

function isReplacement(hunk: string, { from, to }: Replacement): boolean {
  const pairs = pairsOf(hunk);
  if (pairs === null || pairs.length === 0) return false;
  return pairs.every(([removed, added]) => {
    const replaced = replacementIn(removed, added);
    return replaced?.from === from && replaced.to === to;
  });
}

/** The removed lines of a hunk with the added ones in their places; null where their numbers differ. */
function pairsOf(hunk: string): [string, string][] | null {
  const pairs: [string, string][] = [];
  let removed: string[] = [];
  let added: string[] = [];
  for (const line of [...hunk.split('\n').slice(1), ' ']) {
    if (line.startsWith('-') && added.length === 0) removed.push(line.slice(1));
    else if (line.startsWith('+')) added.push(line.slice(1));
    else {
      if (removed.length !== added.length) return null;
      pairs.push(...removed.map((text, at): [string, string] => [text, added[at] ?? '']));
      removed = line.startsWith('-') ? [line.slice(1)] : [];
      added = [];
      if (line.startsWith('\\')) return null; // the end of the file changed too
    }
  }
  return pairs;
}

/** The one word that was replaced in a line, wherever it stood; null when the lines differ in anything else. */
function replacementIn(removed: string, added: string): Replacement | null {
  const [before, after] = [removed.split(/(\w+)/), added.split(/(\w+)/)];
  if (before.length !== after.length) return null;
  let found: Replacement | null = null;
  for (const [at, from] of before.entries()) {
    const to = after[at] ?? '';
    if (from === to) continue;
    if (!word.test(from) || !word.test(to)) return null;
    if (found !== null && (found.from !== from || found.to !== to)) return null;
    found = { from, to };
  }
  return found;
}
