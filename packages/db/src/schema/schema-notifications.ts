import type { IssueId, RepoId } from '@sluice/core/id';
import type { DeliveryStatus, NotificationTarget, StoredNotification } from '@sluice/core/notification';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { userIdColumn } from './schema-accounts.ts';

interface Referenced {
  readonly users: { id: PgColumn };
  readonly repos: { id: PgColumn };
  readonly issues: { id: PgColumn };
}

/** Where users are notified, and what is sent there. */
export function makeNotificationTables(kit: Kit, { users, repos, issues }: Referenced) {
  const notificationTargets = kit.table(
    'notification_targets',
    {
      ordinal: kit.identity('ordinal'),
      id: kit.text('id').notNull().unique('notification_targets_id'),
      userId: userIdColumn(kit, users).notNull(),
      channel: kit.text('channel').$type<NotificationTarget['channel']>().notNull(),
      url: kit.text('url'),
      format: kit.text('format').$type<NotificationTarget['format']>().notNull(),
      events: kit.json<NotificationTarget['events']>('events').notNull(),
      repoId: kit
        .text('repo_id')
        .$type<RepoId>()
        .references(() => repos.id, { onDelete: 'cascade' }),
      description: kit.text('description'),
      createdAt: kit.instant('created_at').notNull(),
      updatedAt: kit.instant('updated_at').notNull(),
      failingSince: kit.instant('failing_since'),
      disabledAt: kit.instant('disabled_at'),
      disabledReason: kit.text('disabled_reason'),
    },
    (t) => [
      kit.index('notification_targets_user').on(t.userId, t.ordinal),
      kit.index('notification_targets_repo').on(t.repoId).where(sql.raw('repo_id is not null')),
      kit.uniqueIndex('notification_targets_one_email').on(t.userId).where(sql.raw("channel = 'email'")),
      kit.check('notification_targets_url_of_webhook', sql.raw("(channel = 'webhook') = (url is not null)")),
      kit.check('notification_targets_disabled_whole', sql.raw('(disabled_at is null) = (disabled_reason is null)')),
    ],
  );

  const targetIdColumn = () =>
    kit
      .text('target_id')
      .notNull()
      .references(() => notificationTargets.id, { onDelete: 'cascade' });

  const notificationSecrets = kit.table(
    'notification_secrets',
    {
      ordinal: kit.identity('ordinal'),
      id: kit.text('id').notNull().unique('notification_secrets_id'),
      targetId: targetIdColumn(),
      encrypted: kit.text('encrypted').notNull(),
      nonce: kit.text('nonce').notNull(),
      createdAt: kit.instant('created_at').notNull(),
      /** Null for the newest one of its target. */
      expiresAt: kit.instant('expires_at'),
    },
    (t) => [
      kit.index('notification_secrets_target').on(t.targetId, t.ordinal),
      kit.index('notification_secrets_end').on(t.expiresAt).where(sql.raw('expires_at is not null')),
    ],
  );

  const notificationDeliveries = kit.table(
    'notification_deliveries',
    {
      /** The order in which those of an issue are sent to a target. */
      ordinal: kit.identity('ordinal'),
      id: kit.text('id').notNull().unique('notification_deliveries_id'),
      /** `msg_` and the id of the first delivery of this notification to this target. */
      messageId: kit.text('message_id').notNull(),
      targetId: targetIdColumn(),
      issueId: kit
        .text('issue_id')
        .$type<IssueId>()
        .references(() => issues.id, { onDelete: 'cascade' }),
      notification: kit.json<StoredNotification>('notification').notNull(),
      status: kit.text('status').$type<DeliveryStatus>().notNull(),
      attempts: kit.int('attempts').notNull(),
      /** Not to be sent before; null when it has ended. By the database's clock, as `heldUntil` is. */
      nextAttemptAt: kit.instant('next_attempt_at'),
      owner: kit.text('owner'),
      heldUntil: kit.instant('held_until'),
      lastStatus: kit.int('last_status'),
      lastError: kit.text('last_error'),
      latencyMs: kit.int('latency_ms'),
      createdAt: kit.instant('created_at').notNull(),
      endedAt: kit.instant('ended_at'),
    },
    (t) => [
      kit.index('notification_deliveries_due').on(t.nextAttemptAt).where(sql.raw('next_attempt_at is not null')),
      // The index finds whether an earlier delivery of the issue is pending at the target.
      kit
        .index('notification_deliveries_line')
        .on(t.targetId, t.issueId, t.ordinal)
        .where(sql.raw('next_attempt_at is not null')),
      kit.index('notification_deliveries_target').on(t.targetId, t.ordinal),
      kit.index('notification_deliveries_status').on(t.targetId, t.status, t.ordinal),
      kit.index('notification_deliveries_issue').on(t.issueId).where(sql.raw('issue_id is not null')),
      kit.index('notification_deliveries_end').on(t.endedAt).where(sql.raw('ended_at is not null')),
      kit.check(
        'notification_deliveries_due_while_pending',
        sql.raw("(status = 'pending') = (next_attempt_at is not null)"),
      ),
      kit.check('notification_deliveries_ended_whole', sql.raw("(status = 'pending') = (ended_at is null)")),
      kit.check('notification_deliveries_hold_whole', sql.raw('(owner is null) = (held_until is null)')),
      kit.check('notification_deliveries_held_while_pending', sql.raw("owner is null or status = 'pending'")),
    ],
  );

  return { notificationTargets, notificationSecrets, notificationDeliveries };
}
