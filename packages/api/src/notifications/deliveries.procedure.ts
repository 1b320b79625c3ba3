import {
  authorizeNotificationTarget,
  deliveryStatuses,
  notificationBounds,
  replayDeliveries,
  replayDelivery,
  sendTestNotification,
} from '@sluice/core/notification';
import * as z from 'zod';
import { instant } from '../input/instant.ts';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../input/page-query.ts';
import { idField, resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';
import { deliveryWire, replayWire, toDeliveryWire } from './notification.wire.ts';

export const listDeliveries = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/notifications/targets/{id}/deliveries',
      tags: ['notifications'],
      summary: 'List the deliveries of a notification target, newest first',
      description: 'Deliveries that ended are kept for 30 days.',
    },
  })
  .input(
    z.strictObject({
      id: resourceId,
      status: z.enum(deliveryStatuses).optional().describe('Only those with this status.'),
      ...pageQuery,
    }),
  )
  .output(pageWire(deliveryWire))
  .query(async ({ ctx, input }) => {
    const { id: targetId } = await authorizeNotificationTarget(ctx, ctx.actor.user.id, input.id);
    const page = await ctx.notifications.deliveries({ targetId, status: input.status, ...toPageRequest(input) });
    return toPageWire(page, (one) => toDeliveryWire(one, ctx.options.publicUrl));
  });

export const testNotificationTarget = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/notifications/targets/{id}/test',
      tags: ['notifications'],
      summary: 'Send a test to a notification target',
      description:
        'The test is a delivery like any other, of the kind `test`: its result is in the list of deliveries within seconds. 409 while the target is disabled.',
    },
    limit: 'send_notifications',
    status: 201,
    refusals: ['notification_target_disabled'],
  })
  .input(z.strictObject({ id: resourceId }))
  .output(deliveryWire)
  .mutation(async ({ ctx, input }) => {
    const target = await authorizeNotificationTarget(ctx, ctx.actor.user.id, input.id);
    return toDeliveryWire(await sendTestNotification(ctx, target), ctx.options.publicUrl);
  });

const time = instant.transform((at) => new Date(at));

export const replayDeliveriesOf = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/notifications/targets/{id}/replay',
      tags: ['notifications'],
      summary: 'Send deliveries again',
      description: `Send either \`delivery_id\`, or \`from\` and \`to\` for deliveries that were created in this time and have ended, in their order, each message once; one that is pending already is left out. Each gets a new delivery with the same \`message_id\`. At most ${notificationBounds.replayed.toLocaleString('en')} at a time: \`next_from\` is where to go on. 409 while the target is disabled, and for a delivery whose message is still pending.`,
    },
    limit: 'send_notifications',
    refusals: ['notification_target_disabled', 'delivery_not_found', 'delivery_pending'],
    example: { body: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z', only_given_up: true } },
  })
  .input(
    z
      .strictObject({
        id: resourceId,
        delivery_id: idField.optional(),
        from: time.optional(),
        to: time.optional().describe('Deliveries of this very time are left out.'),
        only_given_up: z
          .boolean()
          .optional()
          .describe('Leave out messages that were delivered, be it by a replay; false by default.'),
      })
      .refine(
        ({ delivery_id: one, from, to }) =>
          one === undefined ? from !== undefined && to !== undefined : from === undefined && to === undefined,
        { path: ['delivery_id'], message: 'give either delivery_id, or both from and to' },
      )
      .refine(({ delivery_id: one, only_given_up: only }) => one === undefined || only === undefined, {
        path: ['only_given_up'],
        message: 'must not be sent with delivery_id',
      })
      .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
        path: ['to'],
        message: 'must be later than from',
      }),
  )
  .output(replayWire)
  .mutation(async ({ ctx, input }) => {
    const target = await authorizeNotificationTarget(ctx, ctx.actor.user.id, input.id);
    const { delivery_id: deliveryId, from, to } = input;
    if (deliveryId !== undefined) {
      await replayDelivery(ctx, target, deliveryId);
      return { replayed: 1, next_from: null };
    }
    if (from === undefined || to === undefined) throw new Error('The schema let a request without a range through.');
    const range = { from, before: to, onlyGivenUp: input.only_given_up ?? false };
    const { replayed, nextFrom } = await replayDeliveries(ctx, target, range);
    return { replayed, next_from: nextFrom?.toISOString() ?? null };
  });
