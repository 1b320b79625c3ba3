import { hasAccounts } from '@sluice/core/account';
import { issueBounds } from '@sluice/core/issue';
import { budgetSchema } from '@sluice/core/pipeline';
import type { RateLimits } from '@sluice/core/request';
import * as z from 'zod';
import { MAX_STREAMS_PER_SESSION, MAX_STREAMS_PER_USER } from '../feed/stream-slots.ts';
import { invitationRule } from '../identity/accounts/invitation-rule.ts';
import { loginWays } from '../identity/sign-in/login-ways.ts';
import { noInput } from '../input/no-input.ts';
import { publicProcedure } from '../procedure/procedure.ts';
import type { RequestContext } from '../procedure/request-context.ts';
import { MAX_BODY_BYTES } from '../transport/http/read-body.ts';

const stageModels = z.object({
  names: z.array(z.string()).describe('The model, followed by its fallbacks, e.g. `anthropic/claude-sonnet-4-5`.'),
  builtin: z.boolean().describe('Whether no model is set: then only edits that an issue spells out are made.'),
});

export const rateLimitWire = z.object({
  name: z.string().describe('The name of the limit, as in `RateLimit-Policy`.'),
  requests: z.int().min(1),
  window_seconds: z.int().min(1),
  per: z.enum(['address', 'user', 'token']),
  counts: z.enum(['all', 'failures', 'accepted']).describe('The requests that count.'),
});

export const limitsWire = z.object({
  rates: z.array(rateLimitWire).describe('The rate limits in force.'),
  body_bytes: z.int().describe('The longest body of a request.'),
  title_characters: z.int(),
  issue_body_bytes: z.int().describe('The longest `body` of an issue, in UTF-8.'),
  labels: z.int().describe('The most labels of an issue.'),
  streams_per_session: z.int(),
  streams_per_user: z.int(),
  gate_timeout_ms: z.int().nullable().describe('When an undecided gate ends; null: never.'),
  budget: budgetSchema.describe('The budget of an issue without one of its own; null: no limit.'),
  budget_is_fixed: z.boolean().describe('Whether no issue may have a higher budget.'),
});

export const serverDetailsWire = z.object({
  version: z.string(),
  commit: z.string().nullable().describe('The commit that the server runs; null where the build did not know it.'),
  models: z.object({
    triage: stageModels,
    plan: stageModels,
    implement: stageModels,
    review: stageModels,
    embedding: z.string().nullable().describe('Null: code is found by symbols and words alone.'),
  }),
  sandbox: z.enum(['bwrap', 'none']).describe('What isolates the commands of repositories.'),
  codehost: z
    .object({ name: z.string().describe('Its host name.'), url: z.url() })
    .nullable()
    .describe('Null: no code host is configured.'),
  api_tokens: z.boolean().describe('Whether users may create API tokens.'),
  invitations: z
    .enum(['off', 'operators', 'admins'])
    .describe('Who may invite people: no one, operators, or also admins of a repository into theirs.'),
  sends_email: z.boolean().describe('Whether e-mails can be sent: notifications, and links for accounts.'),
  limits: limitsWire,
});

export const serverWire = z.object({
  registration: z
    .enum(['open', 'first_user', 'invite', 'closed'])
    .describe(
      'Who may register: anybody, only the first user (there is none yet), only with an invitation, or no one.',
    ),
  sign_in: z.array(z.enum(['password', 'codehost', 'oidc'])).describe('How users can log in.'),
  oidc_providers: z
    .array(
      z.object({
        id: z.string().describe('The id of the provider, as in `/api/auth/oidc/{provider}`.'),
        name: z.string(),
      }),
    )
    .describe('The OpenID providers at which users can log in, in the order to show them in.'),
  password_reset: z.boolean().describe('Whether a forgotten password can be reset by a link in an e-mail.'),
  details: serverDetailsWire.nullable().describe('Null without a session or an API token.'),
});

export const getServer = publicProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/server',
      tags: ['meta'],
      summary: 'Read what the server is and what it allows',
      description:
        'Without a session or an API token: whether one may register, and how to log in. With one also the version, the models, the sandbox and the limits. An expired one counts as none.',
    },
    refusals: ['credentials_ambiguous', 'not_ready'],
  })
  .input(noInput)
  .output(serverWire)
  .query(
    async ({ ctx }): Promise<z.infer<typeof serverWire>> => ({
      registration: await registrationOf(ctx),
      sign_in: signInMethods(ctx),
      oidc_providers: ctx.oidc.map(({ provider: { id, name } }) => ({ id, name })),
      password_reset: ctx.accountMails.areSent && loginWays(ctx).passwords,
      details: (await ctx.head.actor()) === null ? null : detailsOf(ctx),
    }),
  );

function signInMethods(ctx: RequestContext): z.infer<typeof serverWire>['sign_in'] {
  const { passwords, codehost, issuers } = loginWays(ctx);
  return [
    ...(passwords ? (['password'] as const) : []),
    ...(codehost ? (['codehost'] as const) : []),
    ...(issuers.length > 0 ? (['oidc'] as const) : []),
  ];
}

async function registrationOf({ options, users }: RequestContext): Promise<z.infer<typeof serverWire>['registration']> {
  if (options.passwords === false) return 'closed'; // registering is with a password
  const { registration } = options;
  if (registration === 'open' || registration === 'closed') return registration;
  if (!(await hasAccounts(users))) return 'first_user';
  return registration === 'invite' ? 'invite' : 'closed';
}

function detailsOf({
  options,
  limits,
  budget,
  budgetIsFixed,
  notificationRules,
}: RequestContext): z.infer<typeof serverDetailsWire> {
  const { version, facts } = options;
  const { commit, models, embeddingModel, sandbox, codehostUrl, gateTimeoutMs } = facts;
  const named = ({ names, builtin }: (typeof models)['plan']) => ({ names: [...names], builtin });
  return {
    version,
    commit,
    models: {
      triage: named(models.triage),
      plan: named(models.plan),
      implement: named(models.implement),
      review: named(models.review),
      embedding: embeddingModel,
    },
    sandbox,
    codehost: codehostUrl === null ? null : { name: new URL(codehostUrl).host, url: codehostUrl },
    api_tokens: options.takesApiTokens === true,
    invitations: invitationRule(options),
    sends_email: notificationRules.sendsEmail,
    limits: {
      rates: ratesOf(limits, options),
      body_bytes: MAX_BODY_BYTES,
      title_characters: issueBounds.titleCharacters,
      issue_body_bytes: issueBounds.bodyBytes,
      labels: issueBounds.labels,
      streams_per_session: MAX_STREAMS_PER_SESSION,
      streams_per_user: MAX_STREAMS_PER_USER,
      gate_timeout_ms: gateTimeoutMs,
      budget,
      budget_is_fixed: budgetIsFixed,
    },
  };
}

function ratesOf(
  limits: RateLimits,
  { takesApiTokens = false }: RequestContext['options'],
): z.infer<typeof rateLimitWire>[] {
  const perOf = { ip: 'address', user: 'user', token: 'token' } as const;
  return Object.entries(limits).flatMap(([name, limit]) => {
    if (limit === null || (name.endsWith('api_token') && !takesApiTokens)) return [];
    const { points, windowSeconds, key, counts = 'all' } = limit;
    return [
      {
        name,
        requests: points,
        window_seconds: windowSeconds,
        per: perOf[key],
        counts,
      },
    ];
  });
}
