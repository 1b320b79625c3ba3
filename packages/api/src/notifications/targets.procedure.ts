import {
  authorizeNotificationTarget,
  deleteNotificationTarget as removeTarget,
  rotateNotificationSecret as rotateSecret,
} from '@sluice/core/notification';
import * as z from 'zod';
import { noInput } from '../input/no-input.ts';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';
import { notificationTargetWire, rotatedSecretWire, toNotificationTargetWire } from './notification.wire.ts';

export const listNotificationTargets = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/notifications/targets',
      tags: ['notifications'],
      summary: 'List where your notifications go, newest first',
      description: 'All of them: a user has few. Without their secrets.',
    },
  })
  .input(noInput)
  .output(z.object({ items: z.array(notificationTargetWire) }))
  .query(async ({ ctx }) => ({
    items: (await ctx.notifications.targets(ctx.actor.user.id)).map((target) => toNotificationTargetWire(ctx, target)),
  }));

export const getNotificationTarget = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/notifications/targets/{id}',
      tags: ['notifications'],
      summary: 'Read a notification target',
      description: 'Never with its secret.',
    },
  })
  .input(z.strictObject({ id: resourceId }))
  .output(notificationTargetWire)
  .query(async ({ ctx, input }) =>
    toNotificationTargetWire(ctx, await authorizeNotificationTarget(ctx, ctx.actor.user.id, input.id)),
  );

export const deleteNotificationTarget = userProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/notifications/targets/{id}',
      tags: ['notifications'],
      summary: 'Delete a notification target with its deliveries',
      description: 'What is pending is not sent. To keep the deliveries, disable it instead.',
    },
    status: 204,
  })
  .input(z.strictObject({ id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) =>
    removeTarget(ctx, await authorizeNotificationTarget(ctx, ctx.actor.user.id, input.id), { by: ctx.by }),
  );

export const rotateNotificationSecret = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/notifications/targets/{id}/rotate-secret',
      tags: ['notifications'],
      summary: 'Give a webhook a new secret',
      description:
        'The secret is in this answer and nowhere else. The earlier ones sign beside it for a day, so that a receiver can change over; with `expire_old_now` they end at once. At most three sign at a time. 409 for an e-mail target.',
    },
    bodyOptional: true,
    refusals: ['notification_without_secret'],
    example: { body: { expire_old_now: false } },
  })
  .input(
    z.strictObject({
      id: resourceId,
      expire_old_now: z
        .boolean()
        .optional()
        .describe('Ends the earlier secrets at once, for a secret that others may know.'),
    }),
  )
  .output(rotatedSecretWire)
  .mutation(async ({ ctx, input }) => {
    const target = await authorizeNotificationTarget(ctx, ctx.actor.user.id, input.id);
    return { secret: await rotateSecret(ctx, target, { by: ctx.by, expireOldNow: input.expire_old_now }) };
  });
