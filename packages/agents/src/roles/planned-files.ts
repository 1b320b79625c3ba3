import type { WorkspaceFiles } from '@sluice/core/workspace';
import { isExactInFence } from '../tools/fence.ts';
import { textOf } from '../tools/text-of.ts';

/** A file as it is in the tree. */
export interface PlannedFile {
  readonly path: string;
  readonly text: string;
}

const MAX_CHARACTERS = 8_000; // about 2,000 tokens: of longer files a part is enough
const MAX_SHARE = 0.1; // of the model's whole request

/**
 * The files that a plan changes, where all of them together are small: a coder reads them in any case, and is spared the
 * turn. Where they are not, or one would not stand there exactly, it gets none of them: it then reads what it needs. Files
 * that are yet to be made and those that are not text are left out.
 */
export async function readPlannedFiles(
  files: Pick<WorkspaceFiles, 'read'>,
  { paths, room }: { readonly paths: readonly string[]; readonly room: number },
): Promise<readonly PlannedFile[]> {
  let left = Math.min(MAX_CHARACTERS, MAX_SHARE * room);
  const found: PlannedFile[] = [];
  for (const path of paths) {
    const text = await textOf(files, path);
    if (text === null) continue;
    left -= text.length;
    if (left < 0 || !isExactInFence(text)) return [];
    found.push({ path, text });
  }
  return found;
}
