import { AppError } from '@sluice/core/error';
import { unsubscribe } from '@sluice/core/notification';
import type { Request, RequestHandler, Response } from 'express';
import type { ApiDeps, ApiOptions } from '../service/api-deps.ts';
import { queryOf } from '../transport/http/request-target.ts';
import { nameRoute } from '../transport/http/route-name.ts';
import { askingPage, donePage, refusedPage, unsubscribePageHeaders } from './unsubscribe-page.ts';

export const UNSUBSCRIBE_PATH = '/api/notifications/unsubscribe';

type UnsubscribeContext = Pick<ApiDeps, 'notifications' | 'unsubscribeTokens'> & {
  readonly options: Pick<ApiOptions, 'publicUrl'>;
};

/**
 * One-click unsubscribe (RFC 8058), for mail programs and for people. Not a procedure, because mail programs send a form. Its
 * token alone is the permission: no cookie is read, so a page that sends people here gains nothing that its link had not.
 *
 * GET shows a page with a button. POST turns the e-mails off, whatever its body, and repeating it changes nothing.
 */
export function takeUnsubscriptions(context: UnsubscribeContext): RequestHandler {
  return (req, res, next) => {
    nameRoute(res, UNSUBSCRIBE_PATH);
    answer(context, req, res).catch(next);
  };
}

async function answer(context: UnsubscribeContext, req: Request, res: Response): Promise<void> {
  const { publicUrl } = context.options;
  const settings = new URL('/settings#notifications', publicUrl).href;
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  if (!isRead && req.method !== 'POST') {
    throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD, POST' } });
  }
  res.vary('Accept');
  const wantsPage = req.accepts(['text/plain', 'application/json', 'text/html']) === 'text/html';
  const token = queryOf(req.url).get('token') ?? '';
  try {
    if (!isRead) await unsubscribe(context, token);
    else if (context.unsubscribeTokens.read(token) === null) throw new AppError('unsubscribe_token_invalid');
  } catch (error) {
    if (!wantsPage || !(error instanceof AppError) || error.code !== 'unsubscribe_token_invalid') throw error;
    sendPage(res.status(400), refusedPage(settings));
    return;
  }
  if (isRead) sendPage(res, askingPage);
  else if (wantsPage) sendPage(res, donePage(settings));
  else res.type('text').send('The e-mails are off.\n');
}

function sendPage(res: Response, html: string): void {
  for (const [name, value] of Object.entries(unsubscribePageHeaders)) res.setHeader(name, value);
  res.type('html').send(html);
}
