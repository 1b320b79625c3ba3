import { toUserProfileWire, type User, userProfileWire } from '@sluice/core/account';
import { auditEntry } from '@sluice/core/audit';
import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { noInput } from '../../input/no-input.ts';
import { text } from '../../input/text.ts';
import { scopedProcedure, userProcedure } from '../../procedure/procedure.ts';
import type { RequestContext } from '../../procedure/request-context.ts';
import type { SessionActor } from '../session/actor.ts';
import { sendLink, settingsUrl } from './account-links.ts';
import { newEmail } from './email.ts';
import { givenPassword, newPassword } from './new-password.ts';
import { proveRecentSignIn } from './recent-sign-in.ts';

const input = z
  .strictObject({
    name: text({ min: 1, max: 100, line: true }).nullable().optional(),
    email: newEmail.optional(),
    password: newPassword.optional(),
    current_password: givenPassword
      .optional()
      .describe(
        'Required for a new e-mail or password, unless you have no password yet: then you must have logged in within the last ten minutes.',
      ),
  })
  .refine(({ name, email, password }) => name !== undefined || email !== undefined || password !== undefined, {
    message: 'must name at least one member to change: `name`, `email` or `password`',
  });
type Wanted = z.output<typeof input>;

export const updateMe = userProcedure
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/auth/me',
      operationId: 'auth-updateMe',
      tags: ['auth'],
      summary: 'Change your name, e-mail or password',
      description:
        'Absent members stay as they are. A new e-mail or password requires `current_password` (403 for a wrong one), unless the account has no password: then the session must be younger than ten minutes (403 otherwise), `password` sets the first one, and the account needs an e-mail for it. A new password ends your other sessions. A taken e-mail is answered 401, as at registration. Another e-mail is unverified; where the server sends e-mails, it sends the link that verifies it, and tells the address of before.',
    },
    limit: 'change_account',
    refusals: ['email_unavailable', 'password_wrong', 'sign_in_not_recent'],
    example: { body: { password: 'a staple of batteries', current_password: 'correct horse battery' } },
  })
  .input(input)
  .output(userProfileWire)
  .mutation(async ({ ctx, input }) => {
    const { user, session } = ctx.actor;
    const { name, email, password } = input;
    const ifPasswordHash = await provenHash(ctx, input);
    const outcome = await ctx.users.changeAccount(
      user.id,
      {
        name,
        email,
        passwordHash: password === undefined ? undefined : await ctx.passwords.hash(password),
        ifPasswordHash,
        keep: session.id,
      },
      (sessions_ended) =>
        auditEntry(ctx.by, {
          action: 'account.changed',
          subjectId: null,
          detail: { fields: fieldsOf(input), sessions_ended },
        }),
    );
    if (outcome.kind === 'email_taken') throw new AppError('email_unavailable');
    if (outcome.kind === 'stale') throw new AppError('password_wrong');
    for (const ended of outcome.endedSessions) ctx.signals.sessionEnded(ended);
    tellUser(ctx, user, { input, changed: outcome.user });
    return toUserProfileWire(outcome.user);
  });

/** E-mails about what a thief of the session could have done. To the previous address: a thief would have set their own. */
function tellUser(
  ctx: RequestContext,
  { email: before }: User,
  { input, changed }: { readonly input: Wanted; readonly changed: User },
): void {
  const url = settingsUrl(ctx);
  const isOther = changed.email !== null && changed.email !== before && changed.emailVerifiedAt === null;
  if (before !== null && input.email !== undefined && changed.email !== before) {
    ctx.accountMails.send(before, { kind: 'email_changed', url });
  }
  if (before !== null && input.password !== undefined) ctx.accountMails.send(before, { kind: 'password_changed', url });
  if (isOther && input.email !== undefined && ctx.accountMails.areSent) {
    ctx.accountMails.later(() => sendLink(ctx, changed, 'email_verification'));
  }
}

/** The hash that the change is bound to; undefined where it takes no password. */
async function provenHash(
  ctx: RequestContext & { readonly actor: SessionActor },
  change: Wanted,
): Promise<string | null | undefined> {
  const { user } = ctx.actor;
  if (change.email === undefined && change.password === undefined) return undefined;
  const hash = await ctx.users.passwordHash(user.id);
  if (hash === null) {
    if (change.password !== undefined && user.email === null && change.email === undefined) {
      throw missing('email', 'is needed with a password: you log in with both');
    }
    proveRecentSignIn(ctx);
    return null;
  }
  if (change.current_password === undefined) {
    throw missing('current_password', 'is needed to change the e-mail or the password');
  }
  if (!(await ctx.passwords.verify(hash, change.current_password))) throw new AppError('password_wrong');
  return hash;
}

function missing(path: string, message: string): AppError {
  return new AppError('validation_failed', {
    detail: `The request is not valid. ${path}: ${message}.`,
    errors: [{ path, message }],
  });
}

function fieldsOf({ name, email, password }: Wanted): ('name' | 'email' | 'password')[] {
  const given = { name, email, password };
  return (['name', 'email', 'password'] as const).filter((field) => given[field] !== undefined);
}

export const getMe = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/auth/me',
      tags: ['auth'],
      summary: 'Read your profile',
      description: 'The account of the session. 401 tells a program that it has to log in.',
    },
    whileEnrolling: true,
  })
  .input(noInput)
  .output(userProfileWire)
  .query(({ ctx }) => toUserProfileWire(ctx.actor.user));
