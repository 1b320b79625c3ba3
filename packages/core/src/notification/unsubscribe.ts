import { AppError } from '../error/app-error.ts';
import type { UnsubscribeTokens } from './notification-sender.ts';
import type { NotificationStore } from './notification-store.ts';

const BY_LINK = 'You unsubscribed by the link in an e-mail.';

/**
 * Turns the e-mails of a target off, for anyone who has the link of one of them. Repeating it changes nothing.
 *
 * @throws AppError `unsubscribe_token_invalid`, also for the target of a webhook, which no link names
 */
export async function unsubscribe(
  context: {
    readonly notifications: Pick<NotificationStore, 'target' | 'updateTarget'>;
    readonly unsubscribeTokens: UnsubscribeTokens;
  },
  token: string,
): Promise<void> {
  const id = context.unsubscribeTokens.read(token);
  const target = id === null ? null : await context.notifications.target(id);
  if (target === null || target.channel !== 'email') throw new AppError('unsubscribe_token_invalid');
  if (target.disabledAt !== null) return;
  await context.notifications.updateTarget(
    target.id,
    { disabledReason: BY_LINK },
    {
      userId: target.userId,
      actor: { kind: 'user', sessionId: null },
      act: { action: 'notification.unsubscribed', subjectId: target.id, detail: {} },
    },
  );
}
