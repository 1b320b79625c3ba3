import type { IncomingHttpHeaders } from 'node:http';
import { withDeadline } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import type { Request, RequestHandler, Response } from 'express';
import type { ApiDeps } from '../service/api-deps.ts';
import { nameRoute } from '../transport/http/route-name.ts';
import { readDelivery } from './read-delivery.ts';

export const WEBHOOK_PATH = '/api/codehost/webhook';

const STORE_MS = 8_000; // the code host hangs up after ten seconds and counts the delivery as failed

type WebhookContext = Pick<ApiDeps, 'codehost' | 'codehostInbox' | 'log'>;

/**
 * Takes the code host's signed webhook deliveries. Not a procedure, because the signature covers the raw bytes of the body.
 * The signature alone identifies the sender: no cookie is read.
 *
 * A delivery only marks subjects as changed, and a worker syncs it later, so that a burst costs no more than its marks.
 * 202 for a new delivery, 200 for a known one, 503 when it could not be stored and has to be sent again.
 */
export function takeDeliveries(context: WebhookContext): RequestHandler {
  return (req, res, next) => {
    nameRoute(res, WEBHOOK_PATH);
    if (req.method !== 'POST') throw new AppError('method_not_allowed', { headers: { Allow: 'POST' } });
    takeDelivery(context, req, res)
      .then((status) => res.status(status).end(), next)
      .catch(next);
  };
}

async function takeDelivery({ codehost, codehostInbox, log }: WebhookContext, req: Request, res: Response) {
  if (codehost === null) throw new AppError('codehost_not_configured');
  if (codehost.webhooks === null) throw new AppError('codehost_webhook_not_configured');
  const body = await readDelivery(req, res);
  const delivery = codehost.webhooks.read({ headers: singleHeaders(req.headers), body });
  if (delivery === null) throw new AppError('delivery_unsigned');
  try {
    const isNew = withDeadline({ ms: STORE_MS }, () => codehostInbox.deliver(delivery.id, delivery.changed));
    return (await isNew) ? 202 : 200;
  } catch (cause) {
    log.error({ err: cause, delivery: delivery.id }, 'a webhook delivery could not be stored');
    throw new AppError('not_ready', { detail: 'The delivery could not be stored. Send it again.' }, { cause });
  }
}

/** Headers that were sent once: the code host repeats none. */
function singleHeaders(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  const single = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]);
  return Object.fromEntries(single);
}
