import type { Issue } from '@sluice/core';
import type { Write } from '../store/store-context.ts';
import { originKey } from './origin-key.ts';

/** Records that an imported issue was deleted, so that a sync does not import it again. */
export async function noteRemoval(
  { context, db, now }: Write,
  issue: { readonly repoId: Issue['repoId']; readonly number: number | null; readonly commentId: string | null },
): Promise<void> {
  const { codehostRemovals: removals } = context.database.tables;
  const { repoId, number, commentId } = issue;
  const origins = [
    ...(number === null ? [] : [originKey({ number })]),
    ...(commentId === null ? [] : [originKey({ commentId })]),
  ];
  for (const origin of origins) {
    await db
      .insert(removals)
      .values({ repoId, origin, at: now })
      .onConflictDoNothing({ target: [removals.repoId, removals.origin] });
  }
}
