import { createNotificationTarget as createTarget, needsYouKinds, notificationKinds } from '@sluice/core/notification';
import * as z from 'zod';
import { userProcedure } from '../procedure/procedure.ts';
import { createdTargetWire, targetFields, toNotificationTargetWire } from './notification.wire.ts';

const { url, format, events, repo_id, description } = targetFields;

/** Creates a notification target. Not idempotent: its secret would be stored in the clear with the key. */
export const createNotificationTarget = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/notifications/targets',
      tags: ['notifications'],
      summary: 'Be notified by webhook or e-mail',
      description:
        'The secret that signs the deliveries of a webhook is in this answer and nowhere else: `rotate-secret` makes another one. 400 `notification_url_refused` with the reason for a URL that is not https to a public host; names are resolved and checked again for each delivery. 409 beyond 20 targets, and for a second `email` target (`target_id` names the first one).',
    },
    status: 201,
    headers: { Location: 'The path of the target.' },
    refusals: [
      'notification_url_refused',
      'notification_targets_full',
      'notification_email_exists',
      'email_not_configured',
      'account_without_email',
      'repo_not_found',
      'not_owner',
    ],
    example: {
      body: {
        url: 'https://example.com/hooks/sluice',
        events: ['gate.opened', 'issue.failed'],
        repo_id: '0193a5a2-1b0c-7e11-8a55-0f3d9c4b7a10',
      },
    },
  })
  .input(
    z
      .strictObject({
        channel: z.enum(['webhook', 'email']).default('webhook').describe('`webhook` by default.'),
        url,
        format: format.describe(`${format.description} \`standard\` by default.`),
        events: events.describe(
          `${events.description} All by default; for \`email\` those that ask you for something.`,
        ),
        repo_id,
        description,
      })
      .refine((input) => input.channel === 'email' || input.url !== undefined, {
        path: ['url'],
        message: 'is required for a webhook',
      })
      .refine((input) => input.channel === 'webhook' || (input.url === undefined && input.format === undefined), {
        path: ['url'],
        message: 'must not be sent for e-mail, which goes to the address of your account; nor must format',
      }),
  )
  .output(createdTargetWire)
  .mutation(async ({ ctx, input }) => {
    const { channel, url = '', format = 'standard', repo_id: repoId, description } = input;
    const kinds = input.events ?? (channel === 'email' ? needsYouKinds : notificationKinds);
    const to = channel === 'email' ? { channel } : { channel, url, format };
    const { target, secret } = await createTarget(ctx, {
      draft: { events: kinds, repoId, description, to },
      by: ctx.by,
    });
    ctx.appendHeader('Location', `/api/notifications/targets/${target.id}`);
    return { ...toNotificationTargetWire(ctx, target), secret };
  });
