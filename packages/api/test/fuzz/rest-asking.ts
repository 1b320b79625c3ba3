import fc from 'fast-check';
import { expect } from 'vitest';
import { openApiDocument } from '../../src/openapi/openapi-document.ts';
import { answerJudge } from './answer-judge.ts';
import type { Asking } from './ask-many.ts';
import { MAX_REFUSED_SHARE } from './fuzz-amount.ts';
import { type FuzzRequest, onTheWire, requestsTo, validRequestsTo } from './fuzz-requests.ts';
import { operationsOf } from './operations.ts';

/** Each that gets so far takes 19 MiB and some tens of milliseconds, to hash a password. */
const hashing = new Set(['POST /api/auth/login', 'POST /api/auth/register', 'PATCH /api/auth/me']);

const document = openApiDocument();
const operations = operationsOf(document);
const judge = answerJudge(document);

/** Requests to every operation of the document, each answer held against what the document says of it. */
export const restAsking: Asking<FuzzRequest> = {
  requests: fc.oneof(
    ...operations.map((operation) => ({
      weight: hashing.has(`${operation.method} ${operation.path}`) ? 2 : 12,
      arbitrary: requestsTo(operation),
    })),
  ),
  validRequests: operations.map(validRequestsTo),
  onTheWire,
  fault: (request, answer) => judge({ method: request.method, path: pathInDocument(request), answer }),
  notes: ({ method, path }, { status }) => [`${method} ${path} ${status}`],
};

/** Requests that are all refused would test little: most operations must have succeeded at least once. */
export function expectCarriedOut(seen: ReadonlyMap<string, number>): void {
  const notes = [...seen.keys()];
  const names = operations.map(({ method, path }) => `${method} ${path}`);
  const refused = names.filter(
    (name) => !notes.some((note) => note.startsWith(`${name} 2`) || note.startsWith(`${name} 3`)),
  );
  expect(refused.length, refused.join('\n')).toBeLessThan(names.length * MAX_REFUSED_SHARE);
}

/** The path that answers; null where a text makes it another one, or none. */
function pathInDocument({ path, params, query, unescaped }: FuzzRequest): string | null {
  const isRead = (value: string) => new URL(`http://host/${value}`).pathname === `/${value}`;
  const isOther = (value: string) => {
    const plain = value.replaceAll(/«[a-z ]+»/g, 'x');
    return ['', '.', '..'].includes(plain) || (unescaped && (/[/?#]/.test(plain) || !isRead(plain)));
  };
  const hasFragment = unescaped && query.flat().some((text) => text.includes('#'));
  if (hasFragment || Object.values(params).some(isOther)) return null;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  return document.paths[filled] === undefined ? path : filled; // `import` as an id is no id
}
