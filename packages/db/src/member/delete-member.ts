import type { RepoId, UserId } from '@sluice/core/id';
import { and, eq } from 'drizzle-orm';
import type { Write } from '../store/store-context.ts';
import { forgetNotifications } from './forget-notifications.ts';

/** Deletes a membership, with what notifications still had to tell the member. The caller holds the repository. */
export async function deleteMember(write: Write, repoId: RepoId, userId: UserId): Promise<void> {
  const { repoMembers: members } = write.context.database.tables;
  await write.db.delete(members).where(and(eq(members.repoId, repoId), eq(members.userId, userId)));
  await forgetNotifications(write, repoId, userId);
}
