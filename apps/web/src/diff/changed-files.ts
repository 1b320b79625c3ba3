import type { client } from '../session/client.ts';
import { type PatchFile, parsePatch } from './parse-patch.ts';

/** What the server says of the change of an issue. */
export type IssueDiff = Awaited<ReturnType<typeof client.issues.diff.query>>;

/** A file of the change, with its lines where the patch has them. */
export interface ChangedFile {
  readonly path: string;
  readonly additions: number;
  readonly deletions: number;
  readonly isPlanned: boolean;
  /** Why the agent changed a file outside the plan. */
  readonly reason: string | null;
  /** Why an approver must let it be published: it runs with secrets. Null for any other file. */
  readonly guarded: string | null;
  /** Null where the patch was too large and was cut before it. */
  readonly patch: PatchFile | null;
}

/** The files of a change in the order of the patch. */
export function changedFiles({ files, diff }: Pick<IssueDiff, 'files' | 'diff'>): ChangedFile[] {
  const patches = new Map(parsePatch(diff).map((file) => [file.path, file]));
  return files.map(({ path, additions, deletions, in_plan, reason, guarded }) => ({
    path,
    additions,
    deletions,
    isPlanned: in_plan,
    reason,
    guarded: guarded ?? null,
    patch: patches.get(path) ?? null,
  }));
}
