import { lstat, realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { AppError } from '@sluice/core/error';
import type { TextMatches, TextQuery } from '@sluice/core/workspace';
import { collectMatches } from './collect-matches.ts';
import { confine, followLink, isGitName, refused } from './confined-path.ts';
import { runRipgrep } from './run-ripgrep.ts';

export interface GrepContext {
  readonly root: string;
  /** The user that searches; null: that of this process. */
  readonly uid: number | null;
  /** The searchable files: tracked and new files, without ignored ones. */
  list(signal: AbortSignal): Promise<readonly string[]>;
  /** Folders with nothing of that list in them, worth not going into. */
  ignoredFolders(signal: AbortSignal): Promise<readonly string[]>;
}

const TIMEOUT_MS = 10_000; // twenty times what 20 000 files take
const MAX_FILE = '1M'; // as much as can be read with the tools
const MAX_REGEX = '10M'; // compiled; ripgrep's own default takes a second and 100 MB for one search
const MAX_PATTERN = 10_000; // one argument of a program may not be much longer
const MAX_LIMIT = 5_000;
const MAX_CONTEXT = 50;
const MAX_SKIPPED = 200; // the rest is searched and left out of the answer

/*
 * git alone decides what belongs to the answer. ripgrep would read the repository's ignore files by itself, but also for
 * files that are tracked, so that a repository could hide what it wants from its reviewer; and it follows a link in the
 * place of such a file, to a device that never ends.
 */
const ALWAYS = ['--no-config', '--no-ignore', '--hidden', '--no-follow', '--no-messages', '--no-mmap', '--json'];

/** Searches the files of a tree. @throws AppError `tool_refused` for a pattern, glob or path that cannot be used */
export async function grepFiles(context: GrepContext, query: TextQuery, signal: AbortSignal): Promise<TextMatches> {
  for (const text of [query.pattern, query.glob ?? '']) {
    if (text.length > MAX_PATTERN || text.includes('\0')) throw unusable('it is too long or holds NUL characters');
  }
  const start = await startOf(context.root, query.path);
  const paths = new Set(await context.list(signal));
  // Only now: the listing has refused what git would wait on for ever.
  const skipped = await context.ignoredFolders(signal);
  const around = Math.min(query.context, MAX_CONTEXT);
  const limit = Math.min(query.limit, MAX_LIMIT);
  const collector = collectMatches({
    limit,
    context: around,
    isWanted: (path) => paths.has(path) && !path.split('/').some(isGitName),
  });
  const { exitCode, stderr, isCut } = await runRipgrep(
    {
      arguments: [
        ...ALWAYS,
        ...(query.literal ? ['--fixed-strings'] : []),
        query.ignoreCase ? '--ignore-case' : '--case-sensitive',
        '--sort=path',
        `--context=${around}`,
        `--max-count=${limit + 1}`,
        `--max-filesize=${MAX_FILE}`,
        `--regex-size-limit=${MAX_REGEX}`,
        ...(query.glob === null ? [] : [`--glob=${query.glob}`]),
        '--glob=!.git',
        ...skipped.slice(0, MAX_SKIPPED).map((path) => `--glob=!/${escapeGlob(path)}`),
        `--regexp=${query.pattern}`,
        '--',
        start,
      ],
      folder: context.root,
      uid: context.uid,
      timeoutMs: TIMEOUT_MS,
      onLine: (line) => collector.take(line),
    },
    signal,
  );
  // A file that a command closed is an exit of 2 as well, but nothing is said.
  if (exitCode === 2 && stderr.trim() !== '') throw unusable(sentenceOf(stderr));
  return collector.result(isCut);
}

/** Where the search begins, relative to the root and without a link on the way, as ripgrep follows the one it is given. */
async function startOf(folder: string, path: string | null): Promise<string> {
  if (path === null || ['', '.', './'].includes(path)) return './';
  const root = await realpath(folder);
  const place = await followLink(root, await confine({ root }, path.replace(/\/$/, '')), path);
  const found = await lstat(place.full).catch(() => null);
  if (found === null) throw refused(path, 'there is no such file or folder');
  if (!found.isFile() && !found.isDirectory()) throw refused(path, 'it is neither a regular file nor a folder');
  return `./${relative(root, place.full)}`;
}

function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{}!]/g, '\\$&');
}

/** ripgrep's own sentence, without the pattern and the marks under it. */
function sentenceOf(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.replace(/^(rg|error): /, '').trim());
  const errorAt = stderr.split('\n').findIndex((line) => line.startsWith('error: '));
  return (lines[Math.max(errorAt, 0)] ?? '').slice(0, 300);
}

function unusable(why: string): AppError {
  return new AppError('tool_refused', { detail: `The search cannot be made: ${why.replace(/\.$/, '')}.` });
}
