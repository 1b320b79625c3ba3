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

/** `docs/endpoints.md`: the OpenAPI document at a glance. */
export function printEndpointsPage(): string {
  const all = operations();
  const tags = [...new Set(all.map(({ tag }) => tag))].toSorted();
  return `<!-- Printed from the routes by "npm run gen". -->

# Endpoints

All that the HTTP API has, at a glance. Bodies, parameters and examples are in [openapi.json](openapi.json), which a running
server has at \`/api/openapi.json\`, and \`/api/docs\` is a page to read and try it. The same procedures are tRPC at
\`/api/trpc\`; [errors.md](errors.md) has what a refusal says, [events.md](events.md) what streams send.

A session is a cookie (\`access_token\`), which \`login\`, \`register\` and a sign-in at the code host set. *open* needs none.
Lists come in pages: send \`next_cursor\` back as \`cursor\` until it is null.

${tags.map((tag) => `## ${tag}\n\n${tableOf(all.filter((one) => one.tag === tag))}`).join('\n\n')}

## Rate limits

Every request counts, whatever its answer, over REST and tRPC together. Beyond a limit it is 429, with \`Retry-After\`
and \`RateLimit-Policy\`, which names it.

${printTable(
  ['limit', 'requests', 'within', 'counted by'],
  Object.entries(rateLimits).map(([name, { points, windowSeconds, key }]) => [
    `\`${name}\``,
    String(points),
    `${windowSeconds / 60} min`,
    key === 'ip' ? 'address of the client' : 'user',
  ]),
)}

\`mutation\` holds for every \`POST\`, \`PATCH\` and \`DELETE\` of a session that has no limit of its own. Those that end
a session (\`POST /api/auth/logout\`, \`DELETE /api/auth/sessions/{id}\`) have none, so that nobody who has stolen one can keep
its user from ending it.

At most 50 event streams of a session and 200 of a user may be open in each process of the server, over REST and tRPC
together. Beyond that it is 429 \`too_many_streams\`, with \`limit\` and \`Retry-After\`.
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
  return printTable(['request', 'what it does', 'session', 'answers', 'refuses with'], rows);
}
