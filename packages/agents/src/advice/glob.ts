/*
 * Globs come from files of a repository, so they are matched by a matcher of our own: a small language, in bounded time.
 * The libraries translate a glob into a regular expression, and one with many stars takes them minutes.
 */

const MAX_GLOB = 200; // characters
const MAX_PATH = 500; // characters; of a longer one no rule speaks
const MAX_ALTERNATIVES = 100; // that the globs of one rule stand for
const CHOICE = /\{([^{},]*(?:,[^{},]*)+)\}/;

/** A glob, ready to be matched: patterns of the names on the way from the root. */
export type Glob = readonly string[];

/** How many characters may still be compared; what comes after that matches nothing. */
export interface GlobWork {
  left: number;
}

/**
 * Reads globs: `*` and `?` within a name, `**` for any folders, `{a,b}` for either. A glob without a `/` matches the name
 * in any folder, one that ends with it all below the folder. All other characters stand for themselves, brackets too:
 * they are parts of the names of routes. What is too long, or stands for too much, is left out.
 */
export function readGlobs(globs: readonly string[]): readonly Glob[] {
  const read: Glob[] = [];
  for (const glob of globs) {
    const alternatives = glob.length > MAX_GLOB ? [] : alternativesOf(glob, MAX_ALTERNATIVES - read.length);
    for (const one of alternatives) {
      const plain = one.replace(/^(?:\.?\/)+/, '').replace(/\/$/, '/**');
      read.push(plain.includes('/') ? plain.split('/') : ['**', plain]);
    }
  }
  return read;
}

/** Whether one of the globs names a path from the root. */
export function matchesGlob(globs: readonly Glob[], path: string, work: GlobWork): boolean {
  if (path.length > MAX_PATH) return false;
  const names = path.split('/');
  const isMatch = (pattern: string, name: string) => matchesName(pattern, name, work);
  return globs.some((parts) => matchesAll(parts, names, { isAny: (part) => part === '**', isMatch, work }));
}

function matchesName(pattern: string, name: string, work: GlobWork): boolean {
  work.left -= pattern.length + name.length;
  return matchesAll([...pattern], [...name], {
    isAny: (character) => character === '*',
    isMatch: (wanted, character) => wanted === '?' || wanted === character,
    work,
  });
}

interface Comparison {
  /** Stands for any number of items. */
  isAny(part: string): boolean;
  isMatch(part: string, item: string): boolean;
  readonly work: GlobWork;
}

/** Whether all items match: after a failure, the last part that stands for any number takes one item more. */
function matchesAll(parts: readonly string[], items: readonly string[], { isAny, isMatch, work }: Comparison): boolean {
  let [part, item] = [0, 0];
  let last: { readonly part: number; item: number } | null = null;
  while (item < items.length) {
    work.left -= 1;
    if (work.left < 0) return false;
    const wanted = parts[part];
    if (wanted !== undefined && isAny(wanted)) {
      last = { part, item };
      part += 1;
    } else if (wanted !== undefined && isMatch(wanted, items[item] ?? '')) {
      part += 1;
      item += 1;
    } else if (last !== null) {
      last.item += 1;
      [part, item] = [last.part + 1, last.item];
    } else return false;
  }
  return parts.slice(part).every(isAny);
}

/** What a glob with braces stands for; nothing where that is too much. */
function alternativesOf(glob: string, limit: number): readonly string[] {
  const open = [glob];
  const done: string[] = [];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const choice = CHOICE.exec(one);
    if (choice === null) done.push(one);
    else {
      const { 0: whole, 1: inside = '', index } = choice;
      for (const each of inside.split(',')) open.push(one.slice(0, index) + each + one.slice(index + whole.length));
    }
    // Equal ones count too: of `{a,a}` many times over there is one, but it takes the same time.
    if (open.length + done.length > limit) return [];
  }
  return done;
}
