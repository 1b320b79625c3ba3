import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@sluice/core';
import type { Request, RequestHandler, Response } from 'express';
import { withinDeadline } from '../deadline/within-deadline.ts';
import type { ApiDeps } from '../service/api-deps.ts';
import { readDelivery } from './read-delivery.ts';

const STORE_MS = 8_000; // the provider hangs up after ten seconds, and would take that for an answer that never came

type WebhookContext = Pick<ApiDeps, 'codehost' | 'codehostInbox' | 'log'>;

/**
 * Takes the code host's signed deliveries. Outside the procedures, because the signature is over the body's own bytes.
 * Whoever calls is known by that signature alone: no cookie is read here, and no answer depends on one.
 *
 * All that is done is a mark that the subject has changed: a worker looks at it when it gets there, so a burst costs no
 * more than its marks. 202 for a delivery that is new, 200 for one that was seen before, 503 when it could not be noted:
 * then it has to be sent again.
 */
export function takeDeliveries(context: WebhookContext): RequestHandler {
  return (req, res, next) => {
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
    const noted = withinDeadline({ ms: STORE_MS }, () => codehostInbox.deliver(delivery.id, delivery.subject));
    return (await noted) ? 202 : 200;
  } catch (cause) {
    log.error({ err: cause, delivery: delivery.id }, 'a delivery of the code host could not be noted');
    throw new AppError('not_ready', { detail: 'The delivery could not be noted: send it again.' }, { cause });
  }
}

/** Each header once: one that came twice is none that the provider sent. */
function singleHeaders(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  const single = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]);
  return Object.fromEntries(single);
}
