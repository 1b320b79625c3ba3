import { type ChangedFile, toAppError, type Workspace } from '@sluice/core';
import type { CommittedChange } from './implementation-commit.ts';

/** Of the larger file and of all of them, at the base and at the head. A change of that size is not read by eye either. */
const MAX_FILE_BYTES = 512 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The files of a change with their text at the base and at the head, in the order of `first` as far as they fit into 4 MiB.
 * The tree must hold the committed change.
 *
 * @param first whether a file is read before the others
 */
export async function changedFiles(
  workspace: Workspace,
  change: CommittedChange,
  { first, signal }: { readonly first: (path: string) => boolean; readonly signal: AbortSignal },
): Promise<ChangedFile[]> {
  const paths = change.files.map(({ path }) => path).sort((a, b) => Number(first(b)) - Number(first(a)));
  const before = await textsAtBase(workspace, paths, signal);
  const files: ChangedFile[] = [];
  let left = MAX_BYTES;
  for (const path of paths) {
    const file = { path, before: before.get(path) ?? null, after: await textAtHead(workspace, path) };
    left -= (file.before?.length ?? 0) + (file.after?.length ?? 0);
    if (left < 0) break;
    files.push(file);
  }
  return files;
}

async function textsAtBase(
  workspace: Workspace,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const blobOf = new Map((await workspace.blobs(signal)).map((entry) => [entry.path, entry]));
  const blobs = paths.flatMap((path) => blobOf.get(path) ?? []).filter(({ bytes }) => bytes <= MAX_FILE_BYTES);
  const texts = new Map<string, string>();
  const pathsOf = Map.groupBy(blobs, ({ blob }) => blob);
  let left = MAX_BYTES;
  for await (const { blob, content } of workspace.readBlobs([...pathsOf.keys()], signal)) {
    if (content.includes(0)) continue;
    left -= content.length;
    if (left < 0) break;
    for (const { path } of pathsOf.get(blob) ?? []) texts.set(path, content.toString('utf8'));
  }
  return texts;
}

/** Null where the tree has no such file, or one that is not text: a link, a binary file, one that is too large. */
async function textAtHead({ files }: Workspace, path: string): Promise<string | null> {
  try {
    return await files.read(path);
  } catch (error) {
    if (toAppError(error).code === 'tool_refused') return null;
    throw error;
  }
}
