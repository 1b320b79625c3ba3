import type { Issue } from '@sluice/core';
import type { Write } from '../store/store-context.ts';
import { originKey } from './origin-key.ts';

/** Remembers that an issue which came from the code host was deleted, so that it does not come back by itself. */
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
