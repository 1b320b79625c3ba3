import { extname } from 'node:path';
import { runGit } from '../repo/task-repo.ts';

/** A commit of a real repository that may become a task. */
export interface TaskCommit {
  readonly commit: string;
  readonly parent: string;
  /** The day of the commit, `2026-03-31`. */
  readonly date: string;
  readonly message: string;
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  readonly language: string;
}

export interface CommitQuery {
  readonly since: string;
  readonly until: string;
  readonly count: number;
}

const MAX_SOURCES = 6;
const NEWEST = 5_000; // of the log: reading on would take longer than the tasks are worth

const languages: Readonly<Record<string, string>> = {
  '.c': 'c',
  '.cc': 'c++',
  '.cpp': 'c++',
  '.cs': 'c#',
  '.ex': 'elixir',
  '.go': 'go',
  '.java': 'java',
  '.js': 'javascript',
  '.jsx': 'javascript',
  '.kt': 'kotlin',
  '.mjs': 'javascript',
  '.php': 'php',
  '.py': 'python',
  '.rb': 'ruby',
  '.rs': 'rust',
  '.swift': 'swift',
  '.ts': 'typescript',
  '.tsx': 'typescript',
};

const testPath =
  /(^|\/)(tests?|specs?|__tests__|testdata)\/|\.(test|spec)\.[^/]+$|(^|\/)test_[^/]+$|_(test|spec)\.[^/.]+$/;
const trailers = /^(co-authored-by|signed-off-by|reviewed-by|pr-url|refs?|fixes|closes|change-id):?\s.*$/gim;

export function isTestPath(path: string): boolean {
  return testPath.test(path);
}

/** The newest commits that change code and its tests: one to six sources, and at least one test. */
export function* taskCommits(clone: string, { since, until, count }: CommitQuery): Generator<TaskCommit> {
  const format = '--format=%H %cs %P';
  const log = runGit(clone, 'log', '--no-merges', '--first-parent', `-${NEWEST}`, `--since=${since}`, format, until);
  let found = 0;
  for (const line of log.trim().split('\n')) {
    if (found === count) return;
    const [commit = '', date = '', parent = ''] = line.split(' ');
    if (parent === '') continue; // the first commit of all has no parent
    const changed = runGit(clone, 'diff', '--name-only', '--no-renames', '-z', parent, commit).split('\0');
    const code = changed.filter((path) => languages[extname(path)] !== undefined);
    const sources = code.filter((path) => !isTestPath(path));
    const tests = changed.filter((path) => path !== '' && isTestPath(path));
    if (sources.length === 0 || sources.length > MAX_SOURCES || !code.some(isTestPath)) continue;
    found += 1;
    const message = runGit(clone, 'log', '-1', '--format=%B', commit);
    yield { commit, parent, date, message, sources, tests, language: languages[extname(sources[0] ?? '')] ?? '' };
  }
}

/** A commit's message as an instruction: without trailers and without the numbers of its pull request. */
export function instructionOf(message: string): string {
  const [subject = '', ...rest] = message.replace(trailers, '').trim().split('\n');
  const title = subject.replace(/\s*\((?:[^()]*\s)?#\d+\)\s*$/, '');
  return `${[title, ...rest]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}
