import type { TextMatches, TextQuery, Workspace } from '@sluice/core/workspace';
import { never } from './workspace-scratch.ts';

export function query(pattern: string, changes: Partial<TextQuery> = {}): TextQuery {
  return { pattern, literal: false, ignoreCase: false, path: null, glob: null, context: 0, limit: 100, ...changes };
}

/** Writes matches as `path:line:text`, and the lines around them as `path-line-text`. */
export function linesOf({ lines }: TextMatches): string[] {
  return lines.map(({ path, line, text, isMatch }) => [path, line, text].join(isMatch ? ':' : '-'));
}

export async function grep(workspace: Workspace, pattern: string, changes: Partial<TextQuery> = {}): Promise<string[]> {
  return linesOf(await workspace.files.grep(query(pattern, changes), never));
}
