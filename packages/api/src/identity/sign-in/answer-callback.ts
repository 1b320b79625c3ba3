import { AppError, toAppError } from '@sluice/core/error';
import * as z from 'zod';
import type { RequestContext } from '../../procedure/request-context.ts';
import { logFault } from '../../transport/http/send.ts';
import type { Actor } from '../session/actor.ts';
import { endedFlowCookie, readFlowCookie } from './flow-cookie.ts';
import { createFlowTokens, type FlowSecret, type FlowState } from './flow-tokens.ts';
import { programUrl } from './login-grant.ts';
import type { SignInService } from './sign-in-service.ts';

/** A parameter of the callback. A malformed one is answered like any failed sign-in. */
export const callbackParameter = z
  .preprocess((given) => (typeof given === 'string' ? given : undefined), z.string().optional())
  .optional();

/** A flow that has come back with both halves, in the session in which it began. It is used up. */
export interface TakenFlow {
  readonly state: FlowState;
  readonly secret: FlowSecret;
  /** The session of the browser; null for a program. */
  readonly actor: Actor | null;
}

/** The two halves of a flow as they came back; null for a half that is missing or not ours. */
interface ReturnedFlow {
  readonly state: FlowState | null;
  readonly secret: FlowSecret | null;
}

interface Finish {
  readonly procedure: string;
  /** Refuses where the service is not configured. */
  requireService?(): void;
  /** @returns the URL to send the browser to */
  finish(flow: TakenFlow): Promise<string>;
}

/**
 * Answers a browser that returns from another service, with a redirect. The first callback with both halves uses up the flow,
 * whatever its outcome. Programs get errors, and browsers the page where the user began.
 */
export async function answerCallback(
  ctx: RequestContext,
  service: SignInService,
  { procedure, requireService, finish }: Finish,
): Promise<void> {
  const flow = await returnedFlow(ctx, service);
  const place = { options: ctx.options, service: service.service };
  const ended = flow.state === null ? null : endedFlowCookie(place, flow.state.nonce);
  try {
    requireService?.();
    ctx.appendHeader('Location', await finish(await takeFlow(ctx, service, flow)));
  } catch (thrown) {
    ctx.signal.throwIfAborted(); // the browser has left
    const error = toAppError(thrown);
    if (error.kind === 'upstream') {
      ctx.log.warn({ request_id: ctx.requestId, err: error }, `a sign-in at ${service.label} failed`);
    }
    // Error answers drop all cookies except those of the error itself.
    if (!ctx.head.wantsPage) throw ended === null ? error : withCookie(error, ended);
    logFault(ctx.log, error, { request_id: ctx.requestId, procedure });
    ctx.appendHeader('Location', failurePage(flow, error.code));
  }
  if (ended !== null) ctx.appendHeader('Set-Cookie', ended);
}

async function returnedFlow({ head, options }: RequestContext, service: SignInService): Promise<ReturnedFlow> {
  const tokens = createFlowTokens(options.sessionSecret, service.sealedFor);
  const place = { options, service: service.service };
  const state = await tokens.openState(head.query.get('state'));
  const secret = state === null ? null : await tokens.openSecret(readFlowCookie(place, head.cookie, state.nonce));
  return { state, secret };
}

async function takeFlow(
  ctx: RequestContext,
  service: SignInService,
  { state, secret }: ReturnedFlow,
): Promise<TakenFlow> {
  const { invalid } = service;
  if (state === null || state.endsAt <= ctx.clock.now()) throw new AppError(invalid);
  if (secret === null || secret.nonce !== state.nonce) throw begunElsewhere(ctx, service);
  // A flow must end in the session it began in, or the account would be linked to a user who logged in since.
  const actor = state.purpose === 'browser' ? await ctx.head.actor() : null;
  if (state.sessionId !== null && state.sessionId !== actor?.session?.id) throw new AppError(invalid);
  if (!(await ctx.signInFlows.consumeFlow(state.nonce))) throw new AppError(invalid);
  return { state, secret, actor };
}

/** Cookies belong to a host name: `localhost` and `127.0.0.1` do not share them. */
function begunElsewhere({ options }: RequestContext, { invalid }: SignInService): AppError {
  return new AppError(invalid, {
    detail: `This sign-in began in another browser, or at another address than ${options.publicUrl.origin}. Begin again there.`,
  });
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
