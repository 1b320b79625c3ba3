import type { ChangedFile } from '@sluice/core/change';
import { toAppError } from '@sluice/core/error';
import type { Workspace } from '@sluice/core/workspace';
import type { CommittedChange } from './implementation-commit.ts';

/** The bytes of one file, at the base or at the head, and of all files. People do not read a larger change either. */
const MAX_FILE_BYTES = 512 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;

export interface ChangedFiles {
  readonly files: readonly ChangedFile[];
  /** The paths of files that are too large, at the base or at the head, or no longer text. */
  readonly leftOut: readonly string[];
}

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
): Promise<ChangedFiles> {
  const paths = change.files.map(({ path }) => path).sort((a, b) => Number(first(b)) - Number(first(a)));
  const textAtBase = await textsAtBase(workspace, paths, signal);
  const atHead = new Set(await workspace.files.list());
  const files: ChangedFile[] = [];
  const leftOut: string[] = [];
  let left = MAX_BYTES;
  for (const path of paths) {
    const before = textAtBase(path);
    const after = atHead.has(path) ? await textAtHead(workspace, path) : null;
    const size = [before, after].reduce((sum, side) => sum + (typeof side === 'string' ? side.length : 0), 0);
    const binary = binaryChange(before, after);
    if ((binary === null && (before === undefined || after === undefined)) || size > left) {
      leftOut.push(path);
      continue;
    }
    left -= size;
    const texts = { before: typeof before === 'string' ? before : null, after: after ?? null };
    files.push(binary === null ? { path, ...texts } : { path, ...texts, binary });
  }
  return { files, leftOut };
}

const BINARY = Symbol('no text');

/** A text; null where there is no file; undefined for one that is too large. */
type TextOf = (path: string) => string | typeof BINARY | null | undefined;

/** At the head what is too large is refused like what is no text. */
function binaryChange(
  before: ReturnType<TextOf>,
  after: string | null | undefined,
): NonNullable<ChangedFile['binary']> | null {
  if (before === null && after === undefined) return 'new';
  if (before !== BINARY) return null;
  return after === null ? 'gone' : 'changed';
}

async function textsAtBase(workspace: Workspace, paths: readonly string[], signal: AbortSignal): Promise<TextOf> {
  const blobOf = new Map((await workspace.blobs(signal)).map((entry) => [entry.path, entry]));
  const blobs = new Set<string>();
  let left = MAX_BYTES;
  for (const { blob, bytes } of paths.flatMap((path) => blobOf.get(path) ?? [])) {
    if (bytes > MAX_FILE_BYTES || bytes > left || blobs.has(blob)) continue;
    blobs.add(blob);
    left -= bytes;
  }
  const texts = new Map<string, string | typeof BINARY>();
  for await (const { blob, content } of workspace.readBlobs([...blobs], signal)) {
    texts.set(blob, content.includes(0) ? BINARY : content.toString('utf8'));
  }
  return (path) => {
    const blob = blobOf.get(path)?.blob;
    return blob === undefined ? null : texts.get(blob);
  };
}

/** Undefined for what is no text: a link, a binary file, one that is too large. */
async function textAtHead({ files }: Workspace, path: string): Promise<string | undefined> {
  try {
    const text = await files.read(path);
    return text.length > MAX_FILE_BYTES ? undefined : text;
  } catch (error) {
    if (toAppError(error).code === 'tool_refused') return undefined;
    throw error;
  }
}
