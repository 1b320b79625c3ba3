import { extname } from 'node:path';
import { belongsToTests } from '@sluice/test-integrity';
import { runGit } from '../repo/task-repo.ts';

interface LoggedCommit {
  readonly commit: string;
  /** The day of the commit, `2026-03-31`. */
  readonly date: string;
  readonly subject: string;
}

/** A commit of a real repository that may become a task. */
export interface TaskCommit extends LoggedCommit {
  readonly parent: string;
  readonly message: string;
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  /** What it changes besides its tests: the sources, and files of other kinds. */
  readonly others: readonly string[];
  readonly language: string;
}

/** A commit that is no task, with the reason as the end of a sentence that begins with *it*. */
export interface DroppedCommit extends LoggedCommit {
  readonly dropped: string;
}

const MAX_SOURCES = 6;
const MAX_COMMITS = 5_000; // of the log: reading on would take longer than the tasks are worth
const COMMITS_PER_PAGE = 100;

const languages: Readonly<Record<string, string>> = {
  '.c': 'c',
  '.cc': 'c++',
  '.cjs': 'javascript',
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

const trailers = /^(co-authored-by|signed-off-by|reviewed-by|pr-url|refs?|fixes|closes|change-id):?\s.*$/gim;

/**
 * The commits of a branch, newest first, each as a task or with why it is none. A merge counts as one change: what it
 * brings into the branch.
 */
export function* taskCommits(
  clone: string,
  { since, until }: { readonly since: string; readonly until: string },
): Generator<TaskCommit | DroppedCommit> {
  for (let skip = 0; skip < MAX_COMMITS; skip += COMMITS_PER_PAGE) {
    const page = readLog(clone, `--max-count=${COMMITS_PER_PAGE}`, `--skip=${skip}`, `--since=${since}`, until);
    for (const one of page) yield judgeCommit(clone, one);
    if (page.length < COMMITS_PER_PAGE) return;
  }
}

/** One commit, as a task or with why it is none. @throws Error when the clone does not hold it */
export function taskCommit(clone: string, commit: string): TaskCommit | DroppedCommit {
  const [one] = readLog(clone, '--max-count=1', commit);
  if (one === undefined) throw new Error(`git printed no commit ${commit} of ${clone}.`);
  return judgeCommit(clone, one);
}

interface LogEntry extends LoggedCommit {
  readonly parents: readonly string[];
  readonly paths: readonly string[];
}

const COMMIT = '\x01';
const FIELD = '\x02';

function readLog(clone: string, ...args: string[]): LogEntry[] {
  const changes = ['--first-parent', '--diff-merges=first-parent', '--name-only', '--no-renames', '-z'];
  const format = `--format=${COMMIT}${['%H', '%cs', '%P', '%s'].join(FIELD)}`;
  const entries: (LogEntry & { readonly paths: string[] })[] = [];
  for (const token of runGit(clone, 'log', ...changes, format, ...args, '--').split('\0')) {
    const text = token.replace(/^\n/, ''); // before the first path of a commit
    if (text.startsWith(COMMIT)) {
      const [commit = '', date = '', parents = '', subject = ''] = text.slice(COMMIT.length).split(FIELD);
      entries.push({ commit, date, subject, parents: parents.split(' ').filter((id) => id !== ''), paths: [] });
    } else if (text !== '') entries.at(-1)?.paths.push(text);
  }
  return entries;
}

function judgeCommit(clone: string, entry: LogEntry): TaskCommit | DroppedCommit {
  const { commit, date, parents, paths } = entry;
  const [parent] = parents;
  const logged = { commit, date, subject: entry.subject };
  if (parent === undefined)
    return { ...logged, dropped: 'it has no parent: the history begins here, or a shallow clone does' };
  const tests = paths.filter(belongsToTests);
  const others = paths.filter((path) => !belongsToTests(path));
  const sources = others.filter((path) => languages[extname(path)] !== undefined);
  if (sources.length === 0) return { ...logged, dropped: 'it changes no source besides tests' };
  if (tests.length === 0) return { ...logged, dropped: 'it changes no test' };
  if (sources.length > MAX_SOURCES) return { ...logged, dropped: `it changes more than ${MAX_SOURCES} sources` };
  const message = messageOf(clone, entry);
  const subject = message.split('\n')[0] ?? '';
  const language = languages[extname(sources[0] ?? '')] ?? '';
  return { ...logged, subject, parent, message, sources, tests, others, language };
}

/** A code host's own subject of a merge tells nothing; its text does, or else the commits that were merged. */
function messageOf(clone: string, { commit, parents }: LogEntry): string {
  const message = runGit(clone, 'log', '-1', '--format=%B', commit).trim();
  if (parents.length < 2 || !/^Merge (?:pull request|branch|remote-tracking|commit|tag)\b/.test(message))
    return message;
  const [, ...body] = message.split('\n');
  const text = body.join('\n').trim();
  if (text !== '') return text;
  return runGit(clone, 'log', '--reverse', '--no-merges', '--format=%B', `${parents[0]}..${commit}`).trim() || message;
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
