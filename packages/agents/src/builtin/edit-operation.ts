import type { StructuredPatch } from 'diff';

/** A file's whole content. */
interface WriteOperation {
  readonly kind: 'write';
  readonly path: string;
  readonly content: string;
}

/** Exact text of a file; once, or everywhere. */
export interface ReplaceOperation {
  readonly kind: 'replace';
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

/** One file's part of a unified diff. */
export interface PatchOperation {
  readonly kind: 'patch';
  readonly action: 'create' | 'change' | 'delete' | 'rename';
  /** The file that it starts from; for `create` the new one. */
  readonly path: string;
  /** The file that it ends in; differs from `path` for `rename` only. */
  readonly newPath: string;
  readonly patch: StructuredPatch;
}

export type EditOperation = WriteOperation | ReplaceOperation | PatchOperation;

/** Something that has a form of ours but must not, or cannot, be carried out. */
export interface RefusedForm {
  readonly kind: 'refused';
  /** The form as it stands in the text. */
  readonly source: string;
  readonly reason: string;
}

export type EditForm = EditOperation | RefusedForm;

/** The files that an operation touches. */
export function operationFiles(operation: EditOperation): string[] {
  if (operation.kind !== 'patch') return [operation.path];
  return [...new Set([operation.path, operation.newPath])];
}

/** An operation in a few words, for titles and summaries. */
export function operationTitle(operation: EditOperation): string {
  if (operation.kind === 'write') return `Write the whole of ${operation.path}`;
  if (operation.kind === 'replace') return `Replace text in ${operation.path}${operation.all ? ' everywhere' : ''}`;
  const { action, path, newPath, patch } = operation;
  const hunks = patch.hunks.length === 1 ? '1 hunk' : `${patch.hunks.length} hunks`;
  if (action === 'rename') return `Rename ${path} to ${newPath}${patch.hunks.length > 0 ? ` (${hunks})` : ''}`;
  if (action === 'change') return `Change ${path} (${hunks})`;
  return `${action === 'create' ? 'Create' : 'Delete'} ${path}`;
}
