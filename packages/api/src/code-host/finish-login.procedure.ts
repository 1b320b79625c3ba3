import { AppError, toAppError } from '@sluice/core';
import * as z from 'zod';
import { logFault } from '../http/send.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import type { RequestContext } from '../procedure/request-context.ts';
import { finishFlow, type ReturnedFlow } from './finish-flow.ts';
import { endedFlowCookie, readFlowCookie } from './flow-cookie.ts';
import { createFlowTokens } from './flow-tokens.ts';
import { programUrl } from './login-grant.ts';

// A malformed parameter is answered like any failed sign-in, below.
const parameter = z
  .preprocess((given) => (typeof given === 'string' ? given : undefined), z.string().optional())
  .optional();

export const finishCodehostLogin = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/codehost/callback',
      tags: ['codehost'],
      summary: 'Complete a sign-in when the browser returns from the code host',
      description:
        'Logs in (`/issues`), links (`/settings?linked=codehost`), or delivers a grant to the waiting program. 400 for a sign-in that is invalid, expired, used or from another browser; 403 when it was refused at the code host; 409 for an account linked to another user. A browser that accepts HTML is redirected to `/login?error=CODE` or `/settings?error=CODE` instead.',
    },
    status: 302,
    headers: {
      Location: 'The page to continue at.',
      'Set-Cookie':
        'The session, in the cookie `access_token`, after a login; and the removal of `codehost_flow_…` (`__Host-codehost_flow_…` under https).',
    },
    refusals: [
      'codehost_state_invalid',
      'session_missing',
      'codehost_denied',
      'registration_closed',
      'account_disabled',
      'codehost_not_configured',
      'codehost_account_taken',
      'codehost_linked_to_another',
      'codehost_unavailable',
      'not_ready',
    ],
  })
  // Loose: a provider may add parameters, such as `iss` (RFC 9207).
  .input(
    z.looseObject({
      code: parameter.describe('The grant of the code host.'),
      state: parameter.describe('As the sign-in was started with.'),
      error: parameter.describe('Why the code host granted nothing.'),
    }),
  )
  .output(z.void())
  .query(async ({ ctx }) => {
    const flow = await returnedFlow(ctx);
    const ended = flow.state === null ? null : endedFlowCookie(ctx.options, flow.state.nonce);
    try {
      const onward = await finishFlow(ctx, flow);
      ctx.appendHeader('Location', onward);
    } catch (thrown) {
      ctx.signal.throwIfAborted(); // the browser has left
      const error = toAppError(thrown);
      if (error.kind === 'upstream') {
        ctx.log.warn({ request_id: ctx.requestId, err: error }, 'a sign-in at the code host failed');
      }
      // Error answers drop all cookies except those of the error itself.
      if (!ctx.head.wantsPage) throw ended === null ? error : withCookie(error, ended);
      logFault(ctx.log, error, { request_id: ctx.requestId, procedure: 'auth.finishCodehostLogin' });
      ctx.appendHeader('Location', failurePage(flow, error.code));
    }
    if (ended !== null) ctx.appendHeader('Set-Cookie', ended);
  });

async function returnedFlow({ head, options }: RequestContext): Promise<ReturnedFlow> {
  const tokens = createFlowTokens(options.sessionSecret);
  const state = await tokens.openState(head.query.get('state'));
  const secret = state === null ? null : await tokens.openSecret(readFlowCookie(options, head.cookie, state.nonce));
  return { state, secret };
}

function withCookie(error: AppError, cookie: string): AppError {
  const { code, details, cause } = error;
  const headers = { ...details.headers, 'Set-Cookie': cookie };
  return new AppError(code, { ...details, detail: error.message, headers }, { cause });
}

/** A failure is shown in the place where the user began. */
function failurePage({ state, secret }: ReturnedFlow, code: string): string {
  if (secret?.program && secret.nonce === state?.nonce) return programUrl(secret.program, { error: code });
  return `${state?.sessionId ? '/settings' : '/login'}?error=${code}`;
}
