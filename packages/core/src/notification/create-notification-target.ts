import { callerOf, type RoleReader } from '../access/caller.ts';
import type { TokenCipher } from '../account/token-cipher.ts';
import type { UserStore } from '../account/user-store.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { Ids, RepoId } from '../id/id.ts';
import { authorizeRepo } from '../repo/authorize-repo.ts';
import type { RepoStore } from '../repo/repo-store.ts';
import { notificationAddress } from './notification-address.ts';
import type { NotificationKind } from './notification-catalog.ts';
import type { NewNotificationSecret, NotificationStore } from './notification-store.ts';
import {
  type NotificationFormat,
  type NotificationTarget,
  notificationSecretOwner,
  sealUrl,
} from './notification-target.ts';

/** What the commands on notification targets need. */
export interface NotificationContext {
  readonly notifications: NotificationStore;
  readonly repos: RepoStore;
  readonly members: RoleReader;
  readonly users: Pick<UserStore, 'get'>;
  readonly cipher: TokenCipher;
  readonly ids: Ids;
  readonly notificationRules: NotificationRules;
}

/** The rules of this server for targets, and the source of their secrets. */
export interface NotificationRules {
  /** Hosts that may have private addresses, and may be reached by http. */
  readonly allowHosts: readonly string[];
  /** Whether e-mails can be sent. */
  readonly sendsEmail: boolean;
  /** Makes a secret: `whsec_` and the base64 of random bytes. */
  newSecret(): string;
}

export interface NotificationTargetDraft {
  readonly events: readonly NotificationKind[];
  /** Null or left out: of all repositories. */
  readonly repoId?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly to:
    | { readonly channel: 'email' }
    | { readonly channel: 'webhook'; readonly url: string; readonly format: NotificationFormat };
}

/**
 * Creates a notification target. A webhook gets its first secret.
 *
 * @returns also the plain secret, or null for `email`
 * @throws AppError `notification_url_refused`, `notification_targets_full`, `notification_email_exists`,
 * `email_not_configured`, `account_without_email`, `repo_not_found`, `not_owner`
 */
export async function createNotificationTarget(
  context: NotificationContext,
  { draft, by }: { readonly draft: NotificationTargetDraft; readonly by: Initiator },
): Promise<{ readonly target: NotificationTarget; readonly secret: string | null }> {
  const { userId } = by;
  const { to } = draft;
  if (to.channel === 'webhook') requireUrl(context, to.url);
  else await requireEmail(context, by);
  const repoId = await requireRepo(context, by, draft.repoId ?? null);
  const id = context.ids.next();
  const secret = to.channel === 'webhook' ? newSecret(context, by) : null;
  const audit = auditEntry(by, { action: 'notification.created', subjectId: id, detail: { channel: to.channel } });
  const outcome = await context.notifications.createTarget(
    {
      id,
      userId,
      channel: to.channel,
      url: to.channel === 'webhook' ? sealUrl(context.cipher, { id, userId }, to.url) : null,
      format: to.channel === 'webhook' ? to.format : 'standard',
      events: draft.events,
      repoId,
      description: draft.description ?? null,
    },
    secret?.stored ?? null,
    audit,
  );
  if (outcome.kind === 'full') throw new AppError('notification_targets_full');
  if (outcome.kind === 'email_exists') {
    throw new AppError('notification_email_exists', { body: { target_id: outcome.targetId } });
  }
  return { target: outcome.target, secret: secret?.plain ?? null };
}

/** Makes a secret for a target of this user, to show and to store. */
export function newSecret(
  { ids, cipher, notificationRules }: Pick<NotificationContext, 'ids' | 'cipher' | 'notificationRules'>,
  { userId }: Pick<Initiator, 'userId'>,
): { readonly plain: string; readonly stored: NewNotificationSecret } {
  const plain = notificationRules.newSecret();
  const id = ids.next();
  return { plain, stored: { id, encryptedToken: cipher.encrypt(notificationSecretOwner(userId, id), plain) } };
}

/** Checks that notifications may be sent to a URL. @throws AppError `notification_url_refused` */
export function requireUrl({ notificationRules }: Pick<NotificationContext, 'notificationRules'>, url: string): void {
  const address = notificationAddress(url, notificationRules.allowHosts);
  if (typeof address !== 'string') return;
  throw new AppError('notification_url_refused', {
    detail: `Notifications cannot be sent to this URL: it ${address}.`,
    errors: [{ path: 'url', message: address }],
  });
}

/** Checks that the user may read the repository of a target. @throws AppError `repo_not_found`, `not_owner` */
export async function requireRepo(
  context: Pick<NotificationContext, 'repos' | 'members'>,
  { userId }: Pick<Initiator, 'userId'>,
  id: string | null,
): Promise<RepoId | null> {
  return id === null ? null : (await authorizeRepo({ ...context, caller: callerOf(userId) }, id, 'read')).id;
}

async function requireEmail({ users, notificationRules }: NotificationContext, { userId }: Initiator): Promise<void> {
  if (!notificationRules.sendsEmail) throw new AppError('email_not_configured');
  const user = await users.get(userId);
  if (user === null || user.email === null) throw new AppError('account_without_email');
}
