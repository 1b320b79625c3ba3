import { AppError } from '@sluice/core/error';
import type { WorkspaceFiles } from '@sluice/core/workspace';
import { shortenEnd } from '../tools/shorten.ts';

/** A file of the repository for its contributors. */
export interface Advice {
  readonly path: string;
  readonly text: string;
}

interface AdviceWanted {
  /** The files that the work is about: the nearest advice is that of their folders. */
  readonly about: readonly string[];
  /** The characters that the model's whole request may have. */
  readonly room: number;
}

/** Advice files. The first that a folder has is read, in any case: they say the same to different tools. */
const NAMES = ['agents.md', 'claude.md', 'gemini.md'];
/** In the root also these, where there is none of the others. */
const ROOT_NAMES = ['.github/copilot-instructions.md', '.cursorrules'];
const CURSOR_RULE = /^\.cursor\/rules\/[^/]+\.mdc?$/i;
const CONTRIBUTING = ['contributing.md', '.github/contributing.md', 'docs/contributing.md'];

const MAX_CHARACTERS = 4_000; // about 1,000 tokens per file; the model can read the rest with its tools
const MAX_TOTAL = 12_000;
const MAX_SHARE = 0.1; // of the room, in windows in which the total would be much
const MAX_NESTED_FILES = 2; // so that the root's has room as well

/**
 * Reads the repository's advice for contributors: of the folders of the files concerned, nearest first, then of the root, then
 * what CONTRIBUTING says of tests and style. Unreadable files (too large, not text) are left out.
 */
export async function readAdvice(
  files: Pick<WorkspaceFiles, 'list' | 'read'>,
  { about, room }: AdviceWanted,
): Promise<readonly Advice[]> {
  const byName = new Map((await files.list()).map((path) => [path.toLowerCase(), path]));
  const sources: { path: string; part: (text: string) => string }[] = [];
  const nested = foldersOf(about).flatMap((folder) =>
    firstOf(
      byName,
      NAMES.map((name) => `${folder}/${name}`),
    ),
  );
  const inRoot = [...NAMES, ...ROOT_NAMES, ...[...byName.keys()].filter((path) => CURSOR_RULE.test(path)).sort()];
  for (const path of [...nested.slice(0, MAX_NESTED_FILES), ...firstOf(byName, inRoot)]) {
    sources.push({ path, part: (text) => text });
  }
  for (const path of firstOf(byName, CONTRIBUTING)) sources.push({ path, part: sectionsOnTestsAndStyle });

  let left = Math.min(MAX_TOTAL, MAX_SHARE * room);
  const found: Advice[] = [];
  for (const { path, part } of sources) {
    const text = part((await readable(files, path)) ?? '').trim();
    const limit = Math.floor(Math.min(MAX_CHARACTERS, left));
    if (text === '' || limit < 1) continue;
    left -= Math.min(text.length, limit);
    found.push({ path, text: shortened(path, text, limit) });
  }
  return found;
}

/** The folders of the files and those around them, without the root: the deepest first, and of those the most frequent. */
function foldersOf(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const parts = path.toLowerCase().split('/').slice(0, -1);
    for (let depth = parts.length; depth > 0; depth -= 1) {
      const folder = parts.slice(0, depth).join('/');
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  const depthOf = (folder: string) => folder.split('/').length;
  return [...counts]
    .sort(([a, countOfA], [b, countOfB]) => depthOf(b) - depthOf(a) || countOfB - countOfA || (a < b ? -1 : 1))
    .map(([folder]) => folder);
}

/** The first of these paths that is there, as it is spelled; none when none is. */
function firstOf(byName: ReadonlyMap<string, string>, paths: readonly string[]): string[] {
  const found = paths.map((path) => byName.get(path)).find((path) => path !== undefined);
  return found === undefined ? [] : [found];
}

const HEADING = /^(#{1,6})\s+(.*)$/;
const ABOUT_CODE = /\b(?:tests?|testing|style|styleguide|lint|linting|linter|format|formatting|conventions?|coding)\b/i;

/** The sections whose headings are about tests or style, with the sections below them; most of the rest is for people. */
function sectionsOnTestsAndStyle(text: string): string {
  const kept: string[] = [];
  let level: number | null = null; // of the heading that is kept
  let inFence = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) inFence = !inFence;
    const [, marks, title = ''] = (inFence ? null : HEADING.exec(line)) ?? [];
    if (marks !== undefined && (level === null || marks.length <= level)) {
      level = ABOUT_CODE.test(title) ? marks.length : null;
    }
    if (level !== null) kept.push(line);
  }
  return kept.join('\n');
}

async function readable(files: Pick<WorkspaceFiles, 'read'>, path: string): Promise<string | null> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof AppError && error.code === 'tool_refused') return null;
    throw error;
  }
}

function shortened(path: string, text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${shortenEnd(text, limit)}\n(${path} goes on: read_file shows the rest of its ${text.length} characters)`;
}
