import { rateLimitOf } from '../procedure/route-meta.ts';
import { takesBody } from '../rest/route-input.ts';
import type { Route } from '../rest/route-table.ts';
import type { OpenApiHeader, OpenApiResponse } from './openapi-shape.ts';

const text = (description: string): OpenApiHeader => ({ description, schema: { type: 'string' } });
const retryAfter = { 'Retry-After': text('Seconds to wait before a retry.') };

interface RefusalText {
  readonly description: string;
  readonly example: { detail: string; code: string };
  readonly headers?: Record<string, OpenApiHeader>;
}

const refusalTexts: Readonly<Record<number, RefusalText>> = {
  400: {
    description: 'The body or the query is invalid; `errors` names the fields.',
    example: { detail: 'The request is not valid. title: must not be empty.', code: 'validation_failed' },
  },
  401: {
    description: 'There is no session, or the credentials of a sign-in are wrong.',
    example: { detail: 'Log in first: the session cookie is missing or has expired.', code: 'session_missing' },
    headers: { 'WWW-Authenticate': text('Names the session cookie. Browsers do not ask for a password.') },
  },
  403: {
    description: 'The resource belongs to another user, or the request comes from a foreign origin.',
    example: { detail: 'This issue belongs to another user.', code: 'not_owner' },
  },
  404: {
    description: 'No resource has that id.',
    example: { detail: 'There is no such issue.', code: 'issue_not_found' },
  },
  409: {
    description: 'The current state of the resource does not allow it.',
    example: {
      detail: 'This issue is `running`; only one that is `awaiting_approval` can be decided.',
      code: 'issue_not_awaiting_approval',
    },
  },
  413: {
    description: 'The body is larger than 1 MiB.',
    example: { detail: 'The body is larger than 1 MiB.', code: 'body_too_large' },
  },
  415: {
    description: 'The body is not sent as `application/json`.',
    example: { detail: 'Send the body as application/json.', code: 'media_type_unsupported' },
  },
  429: {
    description: 'A rate limit was exceeded; the body also has `limit`, `window_seconds` and `retry_after_seconds`.',
    example: {
      detail: 'At most 5 logins a minute from one address are allowed. Try again in 42 seconds.',
      code: 'rate_limited',
    },
    headers: {
      ...retryAfter,
      'RateLimit-Policy': text('The limit, e.g. `"login";q=5;w=60`.'),
      RateLimit: text('The remainder, e.g. `"login";r=0;t=42`.'),
    },
  },
  500: {
    description: 'The server failed.',
    example: {
      detail: 'An internal error occurred. The server log has the details under this request id.',
      code: 'internal',
    },
  },
  502: {
    description: 'An external service, such as the repository or the model provider, could not be reached.',
    example: { detail: 'The repository could not be reached.', code: 'remote_unreachable' },
  },
  503: {
    description: 'A service that Sluice depends on is unreachable.',
    example: { detail: 'Not reachable: database.', code: 'not_ready' },
    headers: retryAfter,
  },
};

const streamsExample = {
  detail: 'At most 50 event streams of one session may be open. Close one, or follow all issues by /api/events.',
  code: 'too_many_streams',
};
const tooManyStreams: OpenApiResponse = {
  ...refusal(429, streamsExample),
  description: 'Too many streams are open; the body also has `limit` and `retry_after_seconds`.',
  headers: retryAfter,
};

/** The refusals of a route: those that follow from its shape and those that it declares. */
export function refusalResponses(route: Route): Record<string, OpenApiResponse> {
  const { meta, method, params } = route;
  const hasOwner = meta.session === true && params.length > 0;
  const statuses = [
    400, // unknown members
    ...(meta.session === true ? [401] : []),
    ...(hasOwner ? [403, 404] : []),
    ...(method === 'GET' ? [] : [403]),
    ...(takesBody(route) ? [413, 415] : []),
    ...(rateLimitOf(meta) === undefined && meta.sse === undefined ? [] : [429]),
    ...(meta.refusals ?? []),
    500,
  ];
  const sorted = [...new Set(statuses)].sort((a, b) => a - b);
  return Object.fromEntries(
    sorted.map((status) => [
      String(status),
      status === 429 && meta.sse !== undefined ? tooManyStreams : refusal(status),
    ]),
  );
}

/** The refusals of a route that is not a procedure, each described by its example. */
export function refusalsOf(
  refusals: readonly (readonly [status: number, example: RefusalText['example']])[],
): Record<string, OpenApiResponse> {
  const responses = refusals.map(([status, example]) => [
    String(status),
    { ...refusal(status, example), description: example.detail },
  ]);
  return Object.fromEntries(responses);
}

function refusal(status: number, instead?: RefusalText['example']): OpenApiResponse {
  const known = refusalTexts[status];
  if (known === undefined) throw new Error(`Add a text for refusals with ${status}.`);
  const example = { ...(instead ?? known.example), request_id: '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f' };
  return {
    description: known.description,
    ...(known.headers === undefined ? {} : { headers: known.headers }),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, example },
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    },
  };
}
