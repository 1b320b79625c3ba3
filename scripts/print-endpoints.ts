import { openApiDocument } from '../packages/api/src/index.ts';
import { rateLimits } from '../packages/core/src/request/rate-limits.ts';
import { printTable } from './print-table.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly isOpen: boolean;
  readonly statuses: readonly string[];
}

/** Renders `docs/endpoints.md`: the OpenAPI document at a glance. */
export function printEndpointsPage(): string {
  const all = operations();
  const tags = [...new Set(all.map(({ tag }) => tag))].toSorted();
  return `<!-- Generated from the routes by "npm run gen". -->

# Endpoints

The HTTP API at a glance. [signatures.md](signatures.md) has the parameters and bodies of each operation on one line, and
[openapi.json](openapi.json) all of it, with examples. A running server serves that document at \`/api/openapi.json\`, and at
\`/api/docs\` a page to read and try it. The same procedures are available over tRPC at \`/api/trpc\`. [errors.md](errors.md) describes error responses, [events.md](events.md) the event streams.

A session is a cookie (\`access_token\`) that logging in sets; scripts can send an [API token](api-tokens.md) instead. Requests marked *open*
need none: probes, this document, logging in (the callbacks of the code host and of OpenID providers included), what the server says
of itself, and four that prove themselves otherwise: the webhook of the code host and the back-channel logout of an OpenID provider
by a signature, one-click unsubscribe and the links of e-mails by a token. So do the pages of the console and
\`/.well-known/security.txt\`. Lists are paginated: send \`next_cursor\` as \`cursor\` until it is null.

${tags.map((tag) => `## ${tag}\n\n${tableOf(all.filter((one) => one.tag === tag))}`).join('\n\n')}

## Rate limits

Every request counts, whatever its response, over REST and tRPC together. A request beyond a limit gets 429 with
\`Retry-After\`; \`RateLimit-Policy\` names the limit. These are the defaults: the operator can change each by its
[variable](configuration.md), and may have logins count only when they fail (\`LIMIT_LOGIN_COUNTS\`), and new issues and
repositories only when they are accepted (\`LIMIT_CREATE_COUNTS\`).

${printTable(
  ['limit', 'requests', 'within', 'counted by', 'variable'],
  Object.entries(rateLimits).map(([name, { points, windowSeconds, key }]) => [
    `\`${name}\``,
    String(points),
    `${windowSeconds / 60} min`,
    { ip: 'client address', user: 'user', token: 'API token' }[key],
    `\`LIMIT_${name.toUpperCase()}\``,
  ]),
)}

\`mutation\` applies to every \`POST\`, \`PATCH\` and \`DELETE\` of a user without a separate limit. Requests that end a session or a token
(\`POST /api/auth/logout\`, \`POST /api/auth/oidc/{provider}/logout\`, \`DELETE /api/auth/sessions/{id}\`, \`DELETE /api/tokens/{id}\`) have no
limit, so that a thief cannot keep its user from ending it.

At most 50 event streams of a session and 200 of a user may be open in each process of the server, over REST and tRPC
together. Further ones get 429 \`too_many_streams\`, with \`limit\` and \`Retry-After\`.
`;
}

function operations(): Operation[] {
  return Object.entries(openApiDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, summary, security, responses }]) => ({
      method: method.toUpperCase(),
      path,
      tag: tags[0] ?? '',
      summary,
      isOpen: security.length === 0,
      statuses: Object.keys(responses),
    })),
  );
}

function tableOf(shown: readonly Operation[]): string {
  const rows = shown.map(({ method, path, summary, isOpen, statuses }) => [
    `\`${method} ${path}\``,
    summary,
    isOpen ? 'open' : '',
    statuses.filter((status) => status < '400').join(', '),
    statuses.filter((status) => status >= '400' && status !== '500').join(', '),
  ]);
  return printTable(['request', 'what it does', 'session', 'success', 'errors'], rows);
}
