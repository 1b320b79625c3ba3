import type { WorkspaceFiles } from '@sluice/core/workspace';
import type { ToolContext } from './agent-tool.ts';
import { requireScope } from './plan-scope.ts';
import { requireSyntax } from './require-syntax.ts';

/** A change of one file. */
export interface FileChange {
  readonly path: string;
  /** Null: the file is new. */
  readonly before: string | null;
  /** Null: the file is deleted. */
  readonly after: string | null;
  /** The number of changes in words, e.g. `3 places`. */
  readonly summary: string;
}

export interface ChangePermits {
  readonly reason: string | undefined;
  readonly isRight: boolean | undefined;
}

/**
 * Makes all changes or, where one of them is refused, none.
 *
 * @returns a line for each file, `path: told`, by which `writtenPaths` finds the files again
 * @throws AppError `tool_refused`
 */
export async function changeFiles(
  context: ToolContext,
  changes: readonly FileChange[],
  { reason, isRight }: ChangePermits,
): Promise<string> {
  const { files } = context.workspace;
  requireScope(
    context,
    changes.map(({ path }) => path),
    reason,
  );
  const lines: string[] = [];
  for (const { path, before, after, summary } of changes) {
    const broken = after === null ? '' : await requireSyntax(context, { path, before, after, isRight });
    lines.push(`${path}: ${summary}${broken === '' ? '' : `\n${broken.trim()}`}`);
  }
  const made: FileChange[] = [];
  try {
    for (const change of changes) {
      await put(files, change.path, change.after);
      made.push(change);
    }
  } catch (error) {
    for (const { path, before } of made.reverse()) await put(files, path, before);
    throw error;
  }
  return lines.join('\n');
}

async function put(files: Pick<WorkspaceFiles, 'write' | 'remove'>, path: string, text: string | null): Promise<void> {
  if (text === null) await files.remove(path);
  else await files.write(path, text);
}
