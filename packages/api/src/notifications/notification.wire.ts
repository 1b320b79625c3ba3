import {
  type Delivery,
  deliveryStatuses,
  type NotificationContext,
  type NotificationTarget,
  notificationBounds,
  notificationChannels,
  notificationFormats,
  notificationKinds,
  openUrl,
  toNotification,
} from '@sluice/core/notification';
import * as z from 'zod';
import { idField } from '../input/resource-id.ts';
import { text } from '../input/text.ts';

const kinds = z.enum(notificationKinds);

/** Members of a new target that can also be changed later. */
export const targetFields = {
  url: text({ min: 1, max: notificationBounds.url, line: true })
    .optional()
    .describe('Where a webhook is sent: https to a public host. Not for `email`.'),
  format: z
    .enum(notificationFormats)
    .optional()
    .describe('The body that a webhook is sent: that of Standard Webhooks, or what a chat expects. Not for `email`.'),
  events: z
    .array(kinds)
    .min(1)
    .max(notificationKinds.length)
    .refine((given) => new Set(given).size === given.length, { message: 'must name each kind once' })
    .optional()
    .describe('The kinds to be notified of.'),
  repo_id: idField.nullable().optional().describe('Only of this repository; null: of all.'),
  description: text({ min: 1, max: notificationBounds.description, line: true })
    .nullable()
    .optional()
    .describe('A text for you, to recognize the target by.'),
};

export const notificationTargetWire = z.object({
  id: z.uuid(),
  channel: z.enum(notificationChannels).describe('`email`: to the address of your account.'),
  url: z.string().nullable().describe('Null for `email`, and where its key is lost: set it again.'),
  format: z.enum(notificationFormats),
  events: z.array(kinds),
  repo_id: z.uuid().nullable().describe('Null: of all repositories.'),
  description: z.string().nullable(),
  enabled: z.boolean(),
  failing_since: z.iso
    .datetime()
    .nullable()
    .describe('When the first failed attempt since the last success was made; null after a success.'),
  disabled_at: z.iso.datetime().nullable(),
  disabled_reason: z.string().nullable().describe('Why nothing is sent, as a sentence.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

const secret = '`whsec_` and the base64 of the key that signs.';
export const createdTargetWire = notificationTargetWire.extend({
  secret: z.string().nullable().describe(`${secret} Null for \`email\`.`),
});
export const rotatedSecretWire = z.object({ secret: z.string().describe(secret) });

export function toNotificationTargetWire(
  { cipher }: Pick<NotificationContext, 'cipher'>,
  target: NotificationTarget,
): z.infer<typeof notificationTargetWire> {
  return {
    id: target.id,
    channel: target.channel,
    url: openUrl(cipher, target),
    format: target.format,
    events: [...target.events],
    repo_id: target.repoId,
    description: target.description,
    enabled: target.disabledAt === null,
    failing_since: target.failingSince?.toISOString() ?? null,
    disabled_at: target.disabledAt?.toISOString() ?? null,
    disabled_reason: target.disabledReason,
    created_at: target.createdAt.toISOString(),
    updated_at: target.updatedAt.toISOString(),
  };
}

export const notificationWire = z.object({
  type: z.enum([...notificationKinds, 'test']),
  timestamp: z.iso.datetime().describe('When the event happened.'),
  data: z.record(z.string(), z.unknown()).describe('By kind: see docs/notifications.md.'),
});

export const deliveryWire = z.object({
  id: z.uuid(),
  message_id: z
    .string()
    .describe('The header `webhook-id`: the same in each attempt and replay, so that receivers can tell repetitions.'),
  replay_of: z.uuid().nullable().describe('The delivery that this one repeats. It may have been deleted since.'),
  target_id: z.uuid(),
  issue_id: z.uuid().nullable().describe('Null for a test.'),
  notification: notificationWire.describe('The notification: the body of a webhook in the format `standard`.'),
  status: z.enum(deliveryStatuses),
  attempts: z.int().describe('Attempts that were begun.'),
  next_attempt_at: z.iso.datetime().nullable().describe('When the next attempt is due; null unless it is pending.'),
  last_status: z
    .int()
    .nullable()
    .describe('The HTTP status or SMTP code of the last attempt; null when there was no answer.'),
  last_error: z
    .string()
    .nullable()
    .describe('Why the last attempt failed, or why it was given up; null after a success.'),
  latency_ms: z.int().nullable().describe('The time until the answer to the last attempt.'),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable().describe('When it was delivered or given up.'),
});

export const replayWire = z.object({
  replayed: z.int().describe('How many are sent again.'),
  next_from: z.iso.datetime().nullable().describe('Where to go on, as `from`; null when the range is done.'),
});

export function toDeliveryWire(delivery: Delivery, publicUrl: URL): z.infer<typeof deliveryWire> {
  return {
    id: delivery.id,
    message_id: delivery.messageId,
    replay_of: delivery.replayOf,
    target_id: delivery.targetId,
    issue_id: delivery.issueId,
    notification: toNotification(delivery.notification, publicUrl),
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    latency_ms: delivery.latencyMs,
    created_at: delivery.createdAt.toISOString(),
    ended_at: delivery.endedAt?.toISOString() ?? null,
  };
}
