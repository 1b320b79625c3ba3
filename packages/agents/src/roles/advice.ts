import { AppError, type WorkspaceFiles } from '@sluice/core';
import { shortenEnd } from '../tools/shorten.ts';

/** A file of the repository for its contributors. */
export interface Advice {
  readonly path: string;
  readonly text: string;
}

/** Names of files in the root, in any case. */
const NAMES = ['agents.md', 'contributing.md'];
const MAX_CHARACTERS = 12_000; // about 3,000 tokens per file; the model can read the rest with its tools

/** Reads the repository's advice files, each shortened. Unreadable files (too large, not text) are left out. */
export async function readAdvice(files: Pick<WorkspaceFiles, 'list' | 'read'>): Promise<readonly Advice[]> {
  const paths = await files.list();
  const found: Advice[] = [];
  for (const name of NAMES) {
    const path = paths.find((candidate) => candidate.toLowerCase() === name);
    if (path === undefined) continue;
    const text = await readable(files, path);
    if (text !== null && text.trim() !== '') found.push({ path, text: shortened(path, text) });
  }
  return found;
}

async function readable(files: Pick<WorkspaceFiles, 'read'>, path: string): Promise<string | null> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof AppError && error.code === 'tool_refused') return null;
    throw error;
  }
}

function shortened(path: string, text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${shortenEnd(text, MAX_CHARACTERS)}\n(${path} goes on: it has ${text.length} characters)`;
}
