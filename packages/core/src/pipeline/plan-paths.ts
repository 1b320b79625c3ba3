import { posix } from 'node:path';
import type { PlanDraft } from './plan.ts';

/** What the paths of a plan are, compared with the files of the repository. */
export interface PlanPaths {
  /** The faults and doubts about a path, each as a sentence. */
  readonly problems: readonly string[];
  /** The files that the plan creates, in order of first mention. */
  readonly created: readonly string[];
}

const MAX_FILES = 100; // the coder may write them all, and no person reads a longer list
const MAX_PROBLEMS = 20;
const SCRIPT = /\.[cm]?[jt]sx?$/; // one is easily taken for another; other pairs of endings stand beside each other

/**
 * Compares the paths of a plan with the files of the repository. A path that does not exist is a file that the plan creates,
 * unless it looks like a misspelling of one that exists: in another case, another script's ending, one letter wrong or two
 * of them swapped, or in the root or a folder that does not exist while one file of that name does.
 *
 * @param files all files of the repository, relative to its root
 */
export function planPaths(plan: PlanDraft, files: readonly string[]): PlanPaths {
  const named = [...new Set(plan.steps.flatMap((step) => step.files.map((path) => path.trim())))].filter(
    (path) => path !== '',
  );
  const repository = indexOf(files);
  const problems: string[] = [];
  const created: string[] = [];
  if (named.length > MAX_FILES) {
    problems.push(`The plan names ${named.length} files; name at most ${MAX_FILES}, or split the issue.`);
  }
  if (named.length === 0 && plan.steps.length > 0)
    problems.push('No step names a file, so the coder may not write any.');
  for (const path of named) {
    const plain = posix.normalize(path);
    if (repository.files.has(plain)) continue;
    const problem = unusable(path, repository) ?? misspelled(plain, repository, new Set(named));
    if (problem !== null) problems.push(problem);
    else created.push(plain);
  }
  const more = problems.length - MAX_PROBLEMS;
  return { problems: more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `And ${more} more.`] : problems, created };
}

/** The same where git ignores some of the files that the plan creates: those would not be in the change. */
export function withIgnored({ problems, created }: PlanPaths, ignored: readonly string[]): PlanPaths {
  const sentences = ignored.map((path) => `\`${path}\` is ignored by git, so it would not be in the change.`);
  return { problems: [...problems, ...sentences], created: created.filter((path) => !ignored.includes(path)) };
}

interface RepositoryIndex {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** The files by their path in lower case, without the ending of a script. */
  readonly byStem: ReadonlyMap<string, string>;
  /** The files by their last part. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
}

function indexOf(files: readonly string[]): RepositoryIndex {
  const folders = new Set(['.']);
  const byStem = new Map<string, string>();
  const byName = new Map<string, string[]>();
  for (const path of files) {
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) folders.add(path.slice(0, at));
    byStem.set(stemOf(path), path);
    const name = posix.basename(path);
    const others = byName.get(name);
    if (others === undefined) byName.set(name, [path]);
    else others.push(path);
  }
  return { files: new Set(files), folders, byStem, byName };
}

function unusable(path: string, { folders }: RepositoryIndex): string | null {
  const plain = posix.normalize(path);
  if (posix.isAbsolute(plain)) return `\`${path}\` is absolute; name files relative to the root.`;
  if (plain === '..' || plain.startsWith('../')) return `\`${path}\` leads out of the repository.`;
  if (path.endsWith('/') || folders.has(plain)) return `\`${path}\` is a folder; name the files in it.`;
  if (/[*?]|\{[^}]*,[^}]*\}/.test(path)) return `\`${path}\` is a pattern; name each file.`;
  if (path.includes('\\')) return `\`${path}\` has a backslash; separate folders by /.`;
  if (plain === '.git' || plain.startsWith('.git/')) return `\`${path}\` belongs to git, and not to the repository.`;
  if (/^(?:n\/a|none|null|tbd|todo|unknown|-)$/i.test(path)) return `\`${path}\` is not a path.`;
  return null;
}

/** A plan that names the near file too means both: it moves one to the other, or copies it. */
function misspelled(
  path: string,
  { files, folders, byStem, byName }: RepositoryIndex,
  named: ReadonlySet<string>,
): string | null {
  const folder = posix.dirname(path);
  const isNewBeside = folders.has(folder) && (folder !== '.' || IN_MANY_FOLDERS.test(path));
  const sameName = isNewBeside ? [] : (byName.get(posix.basename(path)) ?? []);
  const near =
    byStem.get(stemOf(path)) ??
    (sameName.length === 1 ? sameName[0] : undefined) ??
    [...files].find((file) => isSlipOf(path, file));
  return near === undefined || named.has(near) ? null : `\`${path}\` does not exist, but \`${near}\` does.`;
}

/** Names that tell nothing of a place, because many folders have one: a new one in the root is no slip. */
const IN_MANY_FOLDERS =
  /^(?:\..*|README.*|CHANGELOG.*|LICENSE.*|AGENTS\.md|CLAUDE\.md|Dockerfile.*|Makefile|package\.json|tsconfig.*\.json|index\..*|__init__\.py|conftest\.py|mod\.rs|main\..*)$/;

const MIN_SLIP = 4; // letters of a name; shorter ones differ by one letter on purpose

/** Whether two paths differ in one letter of the name alone, or in the order of two. A digit or a plural makes another file. */
function isSlipOf(path: string, file: string): boolean {
  const [one, other] = [path, file].map((full) => posix.basename(full)) as [string, string];
  if (Math.abs(path.length - file.length) > 1 || posix.dirname(path) !== posix.dirname(file)) return false;
  if (Math.max(one.search(/\.|$/), other.search(/\.|$/)) < MIN_SLIP) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [rest, otherRest] = [one.slice(at), other.slice(at)];
  if (rest.length === otherRest.length) {
    const isSwap = rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2);
    return /^[a-z]{2}$/i.test(`${rest[0]}${otherRest[0]}`) && (isSwap || rest.slice(1) === otherRest.slice(1));
  }
  const [longer, shorter] = rest.length > otherRest.length ? [rest, otherRest] : [otherRest, rest];
  return /^[a-rt-z]/i.test(longer) && longer.slice(1) === shorter;
}

function stemOf(path: string): string {
  return path.replace(SCRIPT, '').toLowerCase();
}
