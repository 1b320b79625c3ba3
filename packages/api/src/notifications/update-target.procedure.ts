import { authorizeNotificationTarget, updateNotificationTarget as updateTarget } from '@sluice/core/notification';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';
import { notificationTargetWire, targetFields, toNotificationTargetWire } from './notification.wire.ts';

export const updateNotificationTarget = userProcedure
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/notifications/targets/{id}',
      tags: ['notifications'],
      summary: 'Change a notification target',
      description:
        'Absent members stay as they are. `enabled: false` gives up what is pending; `enabled: true` also forgets earlier failures.',
    },
    refusals: ['notification_url_refused', 'repo_not_found'],
    example: { body: { events: ['gate.opened', 'question.asked', 'publish_gate.opened'] } },
  })
  .input(
    z.strictObject({
      id: resourceId,
      ...targetFields,
      enabled: z.boolean().optional().describe('Whether anything is sent to it.'),
    }),
  )
  .output(notificationTargetWire)
  .mutation(async ({ ctx, input }) => {
    const { id, repo_id: repoId, ...rest } = input;
    const target = await authorizeNotificationTarget(ctx, ctx.actor.user.id, id);
    return toNotificationTargetWire(ctx, await updateTarget(ctx, target, { change: { ...rest, repoId }, by: ctx.by }));
  });
