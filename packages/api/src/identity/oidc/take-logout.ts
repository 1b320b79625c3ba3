import { AppError } from '@sluice/core/error';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { ApiDeps } from '../../service/api-deps.ts';
import { nameRoute } from '../../transport/http/route-name.ts';
import { configuredProvider } from './configured-provider.ts';

export const BACKCHANNEL_LOGOUT_PATH = '/api/auth/oidc/:provider/backchannel-logout';

const MAX_BYTES = 16_384; // logout tokens have about one kilobyte
const readForm = express.urlencoded({ extended: false, limit: MAX_BYTES, parameterLimit: 10 });

type LogoutContext = Pick<ApiDeps, 'oidc' | 'oidcIdentities' | 'signals' | 'log'>;

/**
 * Back-channel logout (OpenID Connect Back-Channel Logout 1.0). Not a procedure, because the provider sends a form. The
 * signature of its token is the permission: no cookie is read.
 */
export function takeLogouts(context: LogoutContext): RequestHandler {
  return (req, res, next) => {
    nameRoute(res, '/api/auth/oidc/{provider}/backchannel-logout');
    if (req.method !== 'POST') throw new AppError('method_not_allowed', { headers: { Allow: 'POST' } });
    readForm(req, res, (fault?: unknown) => {
      if (fault !== undefined) next(bodyFault(fault));
      else takeLogout(context, req, res).catch(next);
    });
  };
}

async function takeLogout({ oidc, oidcIdentities, signals, log }: LogoutContext, req: Request, res: Response) {
  const { provider } = configuredProvider({ oidc }, String(req.params.provider));
  const token: unknown = req.body?.logout_token;
  if (typeof token !== 'string') {
    const detail = 'The body must be a form (application/x-www-form-urlencoded) with one logout_token.';
    throw new AppError('oidc_logout_token_invalid', { detail });
  }
  const logout = await provider.readLogoutToken(token, closing(res));
  const ended = await oidcIdentities.endSessions(logout);
  if (ended === null) throw new AppError('oidc_logout_token_invalid', { detail: 'This logout token was used before.' });
  for (const id of ended) signals.sessionEnded(id);
  log.info({ provider: provider.id, sessions: ended.length }, 'a logout at a provider ended sessions');
  res.status(200).end();
}

function closing(res: Response): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return gone.signal;
}

function bodyFault(fault: unknown): AppError {
  const status = (fault as { status?: unknown } | null)?.status;
  if (status === 413) return new AppError('body_too_large', {}, { cause: fault });
  return new AppError('oidc_logout_token_invalid', { detail: 'The form could not be read.' }, { cause: fault });
}
