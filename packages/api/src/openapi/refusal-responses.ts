import { type ErrorCode, errorCatalog, remoteErrorCodes } from '@sluice/core/error';
import * as z from 'zod';
import { errorWire, type PublicCode, problemWire, statusOf } from '../error/public-error.ts';
import { refusedPage } from '../notifications/unsubscribe-page.ts';
import { rateLimitOf } from '../procedure/route-meta.ts';
import { takesBody } from '../transport/rest/route-input.ts';
import { membersOf, type Route } from '../transport/rest/route-table.ts';
import type { OpenApiHeader, OpenApiResponse } from './openapi-shape.ts';
import { plainSchema } from './plain-schema.ts';

const text = (description: string): OpenApiHeader => ({ description, schema: { type: 'string' } });
const retryAfter = { 'Retry-After': text('Seconds to wait before a retry.') };

interface RefusalText {
  readonly description: string;
  readonly headers?: Record<string, OpenApiHeader>;
}

const refusalTexts: Readonly<Record<number, RefusalText>> = {
  400: { description: 'The request is invalid; `errors` names the fields, if it is about some.' },
  401: {
    description: 'There is no session, or the credentials, the API token or the signature are wrong.',
    headers: { 'WWW-Authenticate': text('Names the session cookie. Browsers do not ask for a password.') },
  },
  403: { description: 'The caller may not do this; `code` says why.' },
  404: { description: 'There is no such resource.' },
  409: { description: 'The current state does not allow it; `code` says why.' },
  413: { description: 'The body is larger than 1 MiB, or than the size that the operation names.' },
  415: { description: 'The body is not sent as `application/json`.' },
  429: {
    description: 'A rate limit was exceeded; the body also has `limit`, `window_seconds` and `retry_after_seconds`.',
    headers: {
      ...retryAfter,
      'RateLimit-Policy': text('The limit, e.g. `"login";q=5;w=60`.'),
      RateLimit: text('The remainder, e.g. `"login";r=0;t=42`.'),
    },
  },
  500: { description: 'The server failed.' },
  502: { description: 'An external service, such as the repository or the model provider, could not be reached.' },
  503: { description: 'Sluice, or a service that it depends on, cannot answer now.', headers: retryAfter },
};

/** The codes of each refusal that many operations share, by its name in the document. */
const sharedRefusals: Readonly<Record<string, readonly PublicCode[]>> = {
  MalformedRequest: ['malformed_request'],
  InvalidInput: ['validation_failed', 'malformed_request'],
  InvalidRequest: ['validation_failed', 'malformed_request', 'credentials_ambiguous'],
  InvalidPage: ['validation_failed', 'malformed_request', 'cursor_invalid', 'credentials_ambiguous'],
  InvalidBody: ['validation_failed', 'malformed_request', 'malformed_json', 'credentials_ambiguous'],
  InvalidRepo: [
    'repo_unreachable',
    'remote_refused',
    'base_branch_missing',
    'repo_nested_group',
    'validation_failed',
    'malformed_request',
    'malformed_json',
    'credentials_ambiguous',
  ],
  InvalidSignIn: [
    'codehost_state_invalid',
    'validation_failed',
    'malformed_request',
    'malformed_json',
    'credentials_ambiguous',
  ],
  InvalidOidcSignIn: [
    'oidc_state_invalid',
    'validation_failed',
    'malformed_request',
    'malformed_json',
    'credentials_ambiguous',
  ],
  EndedSession: ['session_missing'],
  NoSession: ['session_missing', 'token_invalid', 'token_expired'],
  DisabledAccount: ['account_disabled', 'origin_refused'],
  NoSuchProvider: ['oidc_provider_not_found'],
  ProviderFailed: ['oidc_unavailable'],
  NeedsSession: ['session_required', 'second_factor_enrollment_required'],
  NeedsSessionOrForeignOrigin: ['session_required', 'origin_refused'],
  NarrowToken: ['token_scope_insufficient', 'second_factor_enrollment_required'],
  ForeignOrigin: ['origin_refused'],
  ForeignOriginOrNotEnrolled: ['session_required', 'origin_refused', 'second_factor_enrollment_required'],
  ForeignSite: ['cross_site_login', 'origin_refused'],
  WrongPasswordOrNotEnrolled: [
    'password_wrong',
    'second_factor_enrollment_required',
    'session_required',
    'origin_refused',
  ],
  WrongPasswordOrOldSignIn: [
    'password_wrong',
    'sign_in_not_recent',
    'session_required',
    'second_factor_enrollment_required',
    'origin_refused',
  ],
  WrongPassword: ['password_wrong', 'session_required', 'origin_refused'],
  WrongPasswordOrNotOwner: [
    'password_wrong',
    'second_factor_enrollment_required',
    'session_required',
    'not_owner',
    'origin_refused',
  ],
  NotOperator: ['operator_required', 'session_required', 'second_factor_enrollment_required'],
  NotOperatorOrNarrowToken: ['operator_required', 'token_scope_insufficient', 'second_factor_enrollment_required'],
  NotOperatorOrForeignOrigin: [
    'operator_required',
    'session_required',
    'second_factor_enrollment_required',
    'origin_refused',
  ],
  NotOperatorNarrowTokenOrForeignOrigin: [
    'operator_required',
    'token_scope_insufficient',
    'second_factor_enrollment_required',
    'origin_refused',
  ],
  NotOwner: ['not_owner', 'session_required', 'second_factor_enrollment_required'],
  NotOwnerOrForeignOrigin: ['not_owner', 'session_required', 'second_factor_enrollment_required', 'origin_refused'],
  NotMember: ['not_owner', 'token_scope_insufficient', 'second_factor_enrollment_required'],
  NotAllowedOrForeignOrigin: [
    'not_owner',
    'role_insufficient',
    'token_scope_insufficient',
    'second_factor_enrollment_required',
    'origin_refused',
  ],
  NotAdmin: ['not_owner', 'role_insufficient', 'session_required', 'second_factor_enrollment_required'],
  NotAdminOrForeignOrigin: [
    'not_owner',
    'role_insufficient',
    'session_required',
    'second_factor_enrollment_required',
    'origin_refused',
  ],
  DisabledOrForeign: [
    'account_disabled',
    'registrant_disabled',
    'not_owner',
    'role_insufficient',
    'token_scope_insufficient',
    'origin_refused',
    'second_factor_enrollment_required',
  ],
  NoSuchIssue: ['issue_not_found'],
  NoSuchTarget: ['notification_target_not_found'],
  InvalidTarget: [
    'notification_url_refused',
    'validation_failed',
    'malformed_request',
    'malformed_json',
    'credentials_ambiguous',
  ],
  InvalidLink: ['account_link_invalid', 'validation_failed', 'malformed_request', 'malformed_json'],
  PasswordsOff: ['password_login_disabled'],
  InvalidUnsubscribeToken: ['unsubscribe_token_invalid', 'malformed_request'],
  NoSuchRepo: ['repo_not_found'],
  NoSuchUser: ['user_not_found'],
  CannotInvite: ['invitations_off', 'invitation_for_account', 'invitations_full'],
  NoSuchSecondFactor: ['second_factor_not_found'],
  NoPassword: ['account_without_password'],
  NoSuchRepoOrMember: ['member_not_found', 'repo_not_found'],
  RegistrantStays: ['member_is_registrant'],
  NoSuchHostedRepo: ['codehost_not_found', 'repo_not_found'],
  NoSuchIssueOrHostedRepo: ['codehost_not_found', 'repo_not_found', 'issue_not_found'],
  NoCodeHost: ['codehost_not_configured'],
  BodyTooLarge: ['body_too_large'],
  NotJson: ['media_type_unsupported'],
  RateLimited: ['rate_limited'],
  TooManyAttempts: ['rate_limited', 'second_factor_paused'],
  TooManyStreams: ['too_many_streams', 'rate_limited'],
  ServerFailed: ['internal'],
  CodeHostFailed: ['codehost_unavailable', 'codehost_refused'],
  RemoteFailed: ['codehost_unavailable', 'codehost_refused', ...remoteErrorCodes],
  NotReady: ['not_ready'],
  CodeHostBusy: ['codehost_busy', 'not_ready'],
  NoRoomOrBusy: ['codehost_busy', 'disk_full', 'not_ready'],
  ShuttingDown: ['not_ready', 'shutting_down'],
};

/** The refusals that browsers get as a page. */
const pages: Readonly<Record<string, string>> = {
  InvalidUnsubscribeToken: refusedPage('https://sluice.example.com/settings'),
};

const nameBySet = new Map(Object.entries(sharedRefusals).map(([name, codes]) => [setOf(codes), name]));

/** The refusals of an operation by their statuses: references to the shared ones, and its own. */
export function refusalResponses(codes: readonly PublicCode[]): Record<string, OpenApiResponse> {
  const byStatus = [...Map.groupBy(codes, statusOf)].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    byStatus.map(([status, group]) => {
      const name = nameBySet.get(setOf(group));
      return [String(status), name === undefined ? refusal(group) : { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** The responses that the operations refer to. */
export function sharedResponses(): Record<string, OpenApiResponse> {
  return Object.fromEntries(
    Object.entries(sharedRefusals).map(([name, codes]) => {
      const { content, ...rest } = refusal(codes);
      const page = pages[name];
      const html = page === undefined ? {} : { 'text/html': { schema: { type: 'string' }, example: page } };
      return [name, { ...rest, content: { ...content, ...html } }];
    }),
  );
}

function setOf(codes: readonly PublicCode[]): string {
  return codes.toSorted().join();
}

/** One response; the first of its codes is its example. */
function refusal(codes: readonly PublicCode[]): OpenApiResponse {
  const [code = 'internal'] = codes;
  const status = statusOf(code);
  const known = code === 'too_many_streams' ? tooManyStreams : refusalTexts[status];
  if (known === undefined) throw new Error(`Add a text for refusals with ${status}.`);
  const detail = code in errorCatalog ? errorCatalog[code as ErrorCode].message : known.description;
  const example = { detail, code, request_id: '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f' };
  return {
    ...known,
    content: {
      'application/json': { schema: withCodes(errorBody, codes), example },
      'application/problem+json': { schema: withCodes(problemBody, codes) },
    },
  };
}

const tooManyStreams: RefusalText = {
  description: 'Too many streams are open; the body also has `limit` and `retry_after_seconds`.',
  headers: retryAfter,
};

const errorBody = bodyOf(errorWire);
const problemBody = bodyOf(problemWire);

type Body = Readonly<Record<string, unknown>> & { readonly properties: Readonly<Record<string, object>> };

function bodyOf(wire: z.ZodType): Body {
  const { $schema: _, ...schema } = z.toJSONSchema(wire);
  return plainSchema(schema as unknown as Body, { isAnswer: true });
}

/**
 * The schema of an error that has one of these codes. Its members are written out, because many readers look for
 * `properties.detail` and merge no schemas.
 */
function withCodes(body: Body, codes: readonly PublicCode[]): Record<string, unknown> {
  const { description } = errorWire.shape.code;
  return { ...body, properties: { ...body.properties, code: { type: 'string', enum: [...codes], description } } };
}

/** What a path's `{id}` is refused as when there is no such thing, by the part of the path before it. */
const absentById: Readonly<Record<string, PublicCode>> = {
  issues: 'issue_not_found',
  repos: 'repo_not_found',
  sessions: 'session_not_found',
  targets: 'notification_target_not_found',
  'second-factors': 'second_factor_not_found',
  tokens: 'api_token_not_found',
};

/** Whether what is named is in a repository, in which the caller has a role. */
function hasRoles(absent: PublicCode | undefined): boolean {
  return absent === 'issue_not_found' || absent === 'repo_not_found';
}

/** The codes of a route's refusals: those that it declares, and those that follow from its shape. */
export function refusalCodes(route: Route): PublicCode[] {
  const { meta, method, path, params } = route;
  const hasSession = meta.session === true;
  const [, thing = ''] = /([\w-]+)\/\{id\}/.exec(path) ?? [];
  const absent = absentById[thing];
  const codes: PublicCode[] = [
    ...(meta.refusals ?? []),
    'validation_failed', // unknown members
    'malformed_request',
    ...('cursor' in membersOf(route.input) ? (['cursor_invalid'] as const) : []),
    ...(takesBody(route) ? (['malformed_json', 'body_too_large', 'media_type_unsupported'] as const) : []),
    ...(hasSession ? (['session_missing', 'token_invalid', 'token_expired', 'not_ready'] as const) : []),
    ...(hasSession || meta.headers?.['Set-Cookie'] !== undefined ? (['credentials_ambiguous'] as const) : []),
    ...(hasSession ? ([meta.token === undefined ? 'session_required' : 'token_scope_insufficient'] as const) : []),
    ...(hasSession && meta.whileEnrolling !== true ? (['second_factor_enrollment_required'] as const) : []),
    ...(hasSession && params.length > 0 && !path.startsWith('/admin/') ? (['not_owner'] as const) : []),
    ...(method !== 'GET' && hasRoles(absent) ? (['role_insufficient'] as const) : []),
    ...(absent === undefined ? [] : [absent]),
    ...(method === 'GET' ? [] : (['origin_refused'] as const)),
    ...(rateLimitOf(meta) === undefined && !hasSession ? [] : (['rate_limited'] as const)),
    ...(meta.sse === undefined ? [] : (['too_many_streams', 'shutting_down'] as const)),
    ...(meta.idempotent === true ? (['idempotency_key_reused', 'idempotency_key_busy'] as const) : []),
    'internal',
  ];
  return [...new Set(codes)];
}
