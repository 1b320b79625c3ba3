import { loginCodeOf } from '@sluice/core/account';
import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { queryInteger } from '../../input/query-integer.ts';
import type { RequestContext } from '../../procedure/request-context.ts';
import { allowedOrigins } from '../../transport/http/origins.ts';
import { createFlowTokens, type ProgramReturn } from './flow-tokens.ts';
import type { AskingProgram } from './program-page.ts';
import type { SignInService } from './sign-in-service.ts';

/** A program that wants to be logged in, as it describes itself. */
export const askingProgram = {
  port: queryInteger({ min: 1_024, max: 65_535 }).describe('The port on 127.0.0.1 at which the program listens.'),
  challenge: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be the base64url of a SHA-256')
    .describe("Base64url of the SHA-256 of the program's verifier."),
  state: z
    .string()
    .regex(/^[\w-]{16,128}$/, 'must be 16 to 128 of A-Z, a-z, 0-9, - and _')
    .describe('Returned unchanged, so that the program recognizes its own sign-in.'),
};

export const askingProgramWire = z.object({
  code: z.string().describe('The code to compare, derived from the challenge.'),
  confirm_url: z
    .url()
    .describe('The target of the click, valid for ten minutes. At PUBLIC_URL, because cookies belong to a host name.'),
});

/** The value of `confirm_url` that the page was opened with. */
export const confirmedProgram = z.string().max(4_000).describe('The value from `confirm_url` of the page.');

/**
 * The page that asks users whether a program is theirs. @param at the service, and the path of its confirmation,
 * without the program
 * @throws AppError `origin_refused` when another page leads here
 */
export async function askForProgram(
  ctx: RequestContext,
  at: { readonly service: SignInService; readonly path: string },
  program: ProgramReturn,
): Promise<AskingProgram> {
  refuseOtherPages(ctx.head.fetchSite);
  const { publicUrl, sessionSecret } = ctx.options;
  const sealed = await createFlowTokens(sessionSecret, at.service.sealedFor).sealProgram(program);
  return { code: loginCodeOf(program.challenge), confirm_url: `${publicUrl.origin}${at.path}/${sealed}` };
}

/**
 * The program that a click on that page confirms.
 *
 * @throws AppError `origin_refused`, and the refusal of the service
 */
export async function confirmProgram(
  ctx: RequestContext,
  { sealedFor, invalid }: SignInService,
  program: string,
): Promise<ProgramReturn> {
  refuseOtherOrigins(ctx);
  const opened = await createFlowTokens(ctx.options.sessionSecret, sealedFor).openProgram(program);
  if (opened === null) throw new AppError(invalid);
  return opened;
}

/** A link on another page is a sign of phishing. */
function refuseOtherPages(fetchSite: string | undefined): void {
  if (fetchSite === undefined || fetchSite === 'none' || fetchSite === 'same-origin') return;
  const detail =
    'Another page has sent the browser here. If your own program wants to log in, type or paste its address.';
  throw new AppError('origin_refused', { detail });
}

/** The click must come from our own page, also over tRPC and where other origins are allowed. */
function refuseOtherOrigins({ head: { origin }, options }: RequestContext): void {
  if (origin === undefined || allowedOrigins({ ...options, corsOrigins: [] }).has(origin)) return;
  throw new AppError('origin_refused', { detail: 'Only the page that shows the code can log a program in.' });
}
