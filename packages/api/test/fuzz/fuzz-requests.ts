import fc from 'fast-check';
import { naughty, naughtyJson, wrongValue } from './naughty.ts';
import { type Operation, pathNames } from './operations.ts';
import { KNOWN_EMAIL, KNOWN_PASSWORD, type Schema, valuesOf } from './schema-values.ts';
import { type Asker, endsSessions, type RequestBody, type RequestHeaders, type WorldRequest } from './world-request.ts';

/** A request as a person reads it; «…» names something of the world, and is filled in when it is sent. */
export interface FuzzRequest {
  readonly as: Asker;
  readonly method: string;
  /** The path in the document. */
  readonly path: string;
  /** The values of the path's braces. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Whether path and query go as they are, where a client would have escaped them. */
  readonly unescaped: boolean;
  readonly headers: RequestHeaders;
  readonly body: RequestBody | null;
}

/** The value of a header without which nothing is done. */
export const RIGHT = 'right';

const otherHeaders = [
  'Accept',
  'Authorization',
  'Content-Encoding',
  'Content-Type',
  'Cookie',
  'Expect',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Origin',
  'Range',
  'Sec-Fetch-Site',
  'User-Agent',
  'X-Forwarded-For',
  'X-HTTP-Method-Override',
  'X-Request-Id',
] as const;

const otherMethods = ['HEAD', 'OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY', 'get'] as const;

/** In which state an issue takes what is asked of it. */
const asked: Readonly<Record<string, string>> = {
  'PATCH /api/issues/{id}': '«own pending issue»',
  'POST /api/issues/{id}/run': '«own pending issue»',
  'POST /api/issues/{id}/messages': '«own issue»',
  'POST /api/issues/{id}/retry': '«own failed issue»',
  'DELETE /api/issues/{id}/permanent': '«own cancelled issue»',
};
const issueFor = ({ method, path }: Pick<Operation, 'method' | 'path'>) =>
  asked[`${method} ${path}`] ?? '«own gated issue»';

/** What an `id` names where it is neither an issue nor a repository. */
const thingOf = (path: string) =>
  path.startsWith('/api/notifications/targets') ? 'target' : path.startsWith('/api/tokens') ? 'token' : 'session';

/** The values of path parameters other than `id`. */
const named: Readonly<Record<string, string>> = {
  user_id: '«other user»', // who can be a member of a repository of the owner
  provider: 'company',
  token_id: '«own repo token»',
};
const namedBy = (name: string, id: fc.Arbitrary<string>): fc.Arbitrary<string> => {
  const value = named[name];
  return value === undefined ? id : fc.constant(value);
};

/** An id with which an operation can do what it is asked. */
export const validIdOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): fc.Arbitrary<string> =>
  path.startsWith('/api/issues')
    ? fc.constant(issueFor({ method, path }))
    : path.startsWith('/api/repos')
      ? fc.constantFrom('«own repo»', '«own hosted repo»')
      : fc.constant(`«own ${thingOf(path)}»`);

/** An id for an operation's `id`: mostly one of which it can do what it is asked. */
export const idOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): fc.Arbitrary<string> =>
  path.startsWith('/api/issues')
    ? fc.constantFrom(
        ...Array<string>(4).fill(issueFor({ method, path })),
        '«own issue»',
        '«own pending issue»',
        '«own gated issue»',
        '«own failed issue»',
        '«own cancelled issue»',
        '«other issue»',
        '«nothing»',
      )
    : path.startsWith('/api/repos')
      ? fc.constantFrom('«own repo»', '«own hosted repo»', '«other repo»', '«nothing»')
      : fc.constantFrom(`«own ${thingOf(path)}»`, `«other ${thingOf(path)}»`, '«nothing»');

/** Requests to one operation: mostly of the right shape, with one or more places where they are not. */
export function requestsTo(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const { method, path } = operation;
  const names = pathNames(path);
  const rarely = <T>(weird: fc.Arbitrary<T>, right: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: weird });
  return fc.record({
    as: fc.oneof(
      { weight: 6, arbitrary: fc.constant('owner' as const) },
      { weight: 1, arbitrary: fc.constantFrom('anonymous', 'other' as const) },
    ),
    method: fc.oneof(
      { weight: 24, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom(...otherMethods) },
    ),
    path: fc.constant(path),
    params: fc.record(
      Object.fromEntries(names.map((name) => [name, rarely(naughty(), namedBy(name, idOf(operation)))])),
      {
        noNullPrototype: true,
      },
    ),
    query: queryOf(operation),
    unescaped: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    headers: headersOf(operation),
    body: bodyOf(operation),
  });
}

/** Requests to one operation, all of the right shape. */
export function validRequestsTo(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const { method, path, body } = operation;
  return fc.record({
    as: fc.constant('owner' as const),
    method: fc.constant(method),
    path: fc.constant(path),
    params: fc.record(Object.fromEntries(pathNames(path).map((name) => [name, namedBy(name, validIdOf(operation))])), {
      noNullPrototype: true,
    }),
    query: fc.tuple(
      ...operation.query
        .filter(({ required }) => required)
        .map(({ name, schema }) => valuesOf(schema, name).map((value) => [name, String(value)] as const)),
    ),
    unescaped: fc.constant(false),
    headers: fc.constant(usualHeaders(operation)),
    body:
      body === null
        ? fc.constant(null)
        : fc
            .oneof({ weight: 3, arbitrary: exampleOf(operation) }, { weight: 1, arbitrary: valuesOf(body) })
            .map((value) => ({ text: JSON.stringify(value), encoding: 'utf8' as const })),
  });
}

/** The body that the document shows, for a thing of the world: of what a schema allows, little can be carried out. */
function exampleOf({ path, described }: Operation): fc.Arbitrary<unknown> {
  const { example } = described.requestBody?.content['application/json'] ?? {};
  const shown = Object(example) as object;
  const known: Readonly<Record<string, string>> = {
    repo_id: path === '/api/issues/import' ? '«own hosted repo»' : '«own repo»',
    user: KNOWN_EMAIL,
    current_password: KNOWN_PASSWORD,
    ...(path === '/api/auth/login' && { email: KNOWN_EMAIL, password: KNOWN_PASSWORD }),
  };
  return fc.constant({ ...shown, ...Object.fromEntries(Object.entries(known).filter(([name]) => name in shown)) });
}

function usualHeaders({ headers, method }: Operation): RequestHeaders {
  const needed = headers.filter(({ required }) => required).map(({ name }) => [name, RIGHT] as const);
  return [...(method === 'GET' ? [] : [['Content-Type', 'application/json'] as const]), ...needed];
}

function queryOf({ query }: Operation): FuzzRequest extends { query: infer Q } ? fc.Arbitrary<Q> : never {
  const right = query.map(({ name, schema }) =>
    fc.tuple(
      fc.constant(name),
      valuesOf(schema.items ?? schema, name).map((value) => String(value)),
    ),
  );
  const known = query.map(({ name }) => name);
  const weird = fc.tuple(fc.oneof(naughty(), fc.constantFrom('id', '__proto__', ...known)), naughty());
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    ...(right.length === 0 ? [] : [{ weight: 4, arbitrary: fc.array(fc.oneof(...right), { maxLength: 3 }) }]),
    { weight: 2, arbitrary: fc.array(fc.oneof(weird, ...right), { minLength: 1, maxLength: 3 }) },
  );
}

function headersOf(operation: Operation): fc.Arbitrary<FuzzRequest['headers']> {
  const accept = fc.constantFrom('application/json', 'text/plain', 'text/x-diff', 'text/html', '*/*;q=0');
  const weird = fc.tuple(
    fc.constantFrom(...otherHeaders, ...operation.headers.map(({ name }) => name)),
    fc.oneof(naughty(), fc.constantFrom('*', 'null', 'application/json', 'application/json; charset=utf-16', 'gzip')),
  );
  const extra = fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: accept.map((value) => [['Accept', value] as const]) },
    { weight: 3, arbitrary: fc.array(weird, { minLength: 1, maxLength: 3 }) },
  );
  return extra.map((more) => [...usualHeaders(operation), ...more]);
}

function bodyOf({ method, body }: Operation): fc.Arbitrary<FuzzRequest['body']> {
  const encoded = (texts: fc.Arbitrary<string>) => texts.map((text) => ({ text, encoding: 'utf8' as const }));
  const badly = fc.record({ text: naughtyJson(), encoding: fc.constantFrom('utf8', 'latin1', 'utf16le' as const) });
  if (body === null) {
    const rare = fc.oneof(badly, encoded(fc.json({ maxDepth: 2 })));
    const none = { weight: method === 'GET' ? 30 : 4, arbitrary: fc.constant(null) };
    return fc.oneof(none, { weight: 1, arbitrary: rare });
  }
  const right = valuesOf(body) as fc.Arbitrary<Record<string, unknown>>;
  const nearly = fc.tuple(right, fc.constantFrom(...fieldsOf(body)), wrongValue()).map(([value, at, wrong]) => {
    const { [at]: _, ...rest } = value;
    return wrong === '' ? rest : { ...rest, [at]: wrong };
  });
  return fc.oneof(
    { weight: 4, arbitrary: encoded(right.map((value) => JSON.stringify(value))) },
    { weight: 5, arbitrary: encoded(nearly.map((value) => JSON.stringify(value))) },
    { weight: 1, arbitrary: encoded(right.map(twice)) },
    { weight: 2, arbitrary: badly },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

const fieldsOf = ({ properties = {} }: Schema) => [...Object.keys(properties), 'unknown', 'id'];

/** Every member twice, and a prototype. */
function twice(value: unknown): string {
  const members = JSON.stringify(value).slice(1, -1);
  return `{${[members, members, '"__proto__":{"polluted":1}'].filter((one) => one !== '').join(',')}}`;
}

/** The request as the world sends it. */
export function onTheWire(request: FuzzRequest): WorldRequest {
  const { path, params, query, ...rest } = request;
  const inPath = path.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : { fill: params[part] ?? '' }));
  const inQuery = query.flatMap(([name, value], at) => [at === 0 ? '?' : '&', { fill: name }, '=', { fill: value }]);
  const spends = { session: endsSessions(path), link: path === '/api/auth/codehost' };
  return { ...rest, target: [...inPath, ...inQuery], spends };
}
