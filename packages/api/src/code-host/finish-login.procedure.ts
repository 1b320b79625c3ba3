import { AppError, toAppError } from '@sluice/core';
import * as z from 'zod';
import { logFault } from '../http/send.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import type { RequestContext } from '../procedure/request-context.ts';
import { finishFlow, type ReturnedFlow } from './finish-flow.ts';
import { endedFlowCookie, readFlowCookie } from './flow-cookie.ts';
import { createFlowTokens } from './flow-tokens.ts';
import { programUrl } from './login-grant.ts';

// Whatever is wrong with them is wrong with the sign-in, and is answered where that is looked at.
const parameter = z
  .preprocess((given) => (typeof given === 'string' ? given : undefined), z.string().optional())
  .optional();

export const finishCodehostLogin = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/codehost/callback',
      tags: ['codehost'],
      summary: 'Where the code host sends the browser back to',
      description:
        'Logs in (`/issues`), links (`/settings?linked=codehost`), or brings a grant to the program that waits for it. A sign-in that is wrong, expired, used or of another browser is 400; one that was refused at the code host 403; an account of another user 409. A browser that wants HTML is sent to `/login?error=CODE` or `/settings?error=CODE` instead.',
    },
    status: 302,
    headers: {
      Location: 'Where the browser goes on.',
      'Set-Cookie':
        'The session, as `access_token`, where it logs in; and the end of `codehost_flow_…` (`__Host-codehost_flow_…` under https).',
    },
    refusals: [403, 409, 502],
  })
  // Loose: a provider may add parameters of its own, such as `iss` (RFC 9207).
  .input(z.looseObject({ code: parameter, state: parameter, error: parameter }))
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
      // An error's answer has no cookies but those that belong to the error.
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

/** Where somebody who looks at a browser is told of it: where he began. */
function failurePage({ state, secret }: ReturnedFlow, code: string): string {
  if (secret?.program && secret.nonce === state?.nonce) return programUrl(secret.program, { error: code });
  return `${state?.sessionId ? '/settings' : '/login'}?error=${code}`;
}
