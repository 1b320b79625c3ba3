import type { Authorized } from '../access/authorized.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import { type NotificationContext, requireRepo, requireUrl } from './create-notification-target.ts';
import { type NotificationTarget, type NotificationTargetPatch, sealUrl } from './notification-target.ts';

/** A change by the user. Absent members stay as they are. */
export interface NotificationTargetChange extends Omit<NotificationTargetPatch, 'url' | 'repoId' | 'disabledReason'> {
  readonly url?: string | undefined;
  readonly repoId?: string | null | undefined;
  /** Enabling also forgets earlier failures. Disabling gives up what is pending. */
  readonly enabled?: boolean | undefined;
}

const BY_USER = 'You disabled it.';

/**
 * @throws AppError `notification_target_not_found` after a concurrent deletion, `notification_url_refused`, `repo_not_found`,
 * `not_owner`, `validation_failed` for the URL or format of an e-mail target
 */
export async function updateNotificationTarget(
  context: NotificationContext,
  target: Authorized<NotificationTarget>,
  { change, by }: { readonly change: NotificationTargetChange; readonly by: Initiator },
): Promise<NotificationTarget> {
  const { url, repoId, enabled, ...plain } = change;
  if (target.channel === 'email' && (url !== undefined || plain.format !== undefined)) throw noUrl();
  if (url !== undefined) requireUrl(context, url);
  const patch: NotificationTargetPatch = {
    ...plain,
    ...(url !== undefined && { url: sealUrl(context.cipher, target, url) }),
    ...(repoId !== undefined && { repoId: await requireRepo(context, by, repoId) }),
    ...(enabled !== undefined && { disabledReason: enabled ? null : BY_USER }),
  };
  const fields = Object.entries(change).flatMap(([name, value]) =>
    value === undefined ? [] : [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)],
  );
  const audit = auditEntry(by, {
    action: 'notification.changed',
    subjectId: target.id,
    detail: { fields: fields.sort() },
  });
  const updated = await context.notifications.updateTarget(target.id, patch, audit);
  if (updated === null) throw new AppError('notification_target_not_found');
  return updated;
}

function noUrl(): AppError {
  const message = 'must not be set for e-mail, which goes to the address of your account';
  return new AppError('validation_failed', {
    detail: `The request is not valid. url: ${message}.`,
    errors: [{ path: 'url', message }],
  });
}
