import type { PublicCode } from '../error/public-error.ts';
import { rateLimitOf } from '../procedure/route-meta.ts';
import { takesBody } from '../rest/route-input.ts';
import { membersOf, type Route } from '../rest/route-table.ts';

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
