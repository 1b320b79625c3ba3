import type { Initiator, UserId } from '@sluice/core';

/** The initiator of a command: that user, outside any session. */
export function byUser(userId: UserId): Initiator {
  return { userId, actor: { kind: 'user', sessionId: null } };
}
