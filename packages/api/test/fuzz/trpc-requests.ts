import fc from 'fast-check';
import { idOf, validIdOf } from './fuzz-requests.ts';
import { naughty, naughtyJson, wrongValue } from './naughty.ts';
import { valuesOf } from './schema-values.ts';
import { type FuzzProcedure, fuzzProcedures } from './trpc-procedures.ts';
import { type Asker, endsSessions, type RequestBody, type RequestHeaders, type WorldRequest } from './world-request.ts';

/** A call, by a name that may be no procedure's. */
interface FuzzCall {
  readonly name: string;
  /** JSON, or what is none. Null: nothing is said. */
  readonly input: string | null;
}

/** A request to tRPC as a person reads it. */
export interface FuzzCalls {
  readonly as: Asker;
  readonly method: string;
  /** Calls in a batch, of which there is one without. */
  readonly calls: readonly FuzzCall[];
  readonly isBatch: boolean;
  /** All inputs together, instead of those of the calls. */
  readonly inputs: string | null;
  readonly query: RequestHeaders;
  readonly headers: RequestHeaders;
  readonly encoding: RequestBody['encoding'];
  readonly unescaped: boolean;
}

/** Each that gets so far takes 19 MiB and some tens of milliseconds, to hash a password. */
const hashing = new Set(['auth.login', 'auth.register', 'auth.account.update']);
const MAX_BATCH = 20;

const procedures = fuzzProcedures();
const byName = new Map(procedures.map((one) => [one.name, one]));
const wrongName = fc.oneof(
  fc.constantFrom('issues', 'issues.', '.get', 'issues.get.get', 'issues.__proto__', 'constructor', 'issues.Get'),
  fc.constantFrom('a/issues.get', '../trpc/auth.me', 'x\\auth.me', 'auth.me#', 'auth.me;a', 'auth%2Eme', 'auth.me/'),
  naughty(),
);

function wholeInput(procedure: FuzzProcedure, ids = idOf): fc.Arbitrary<unknown> {
  const { input, place } = procedure;
  const { required = [], properties = {} } = input;
  const needed = Object.fromEntries(Object.entries(properties).filter(([name]) => required.includes(name)));
  const right = fc.oneof(valuesOf(input), valuesOf({ ...input, properties: needed })) as fc.Arbitrary<object>;
  if (properties.id === undefined) return right;
  return fc.tuple(right, ids(place)).map(([value, id]) => ({ ...value, id }));
}

function inputOf(procedure: FuzzProcedure): fc.Arbitrary<string | null> {
  const right = wholeInput(procedure);
  const names = [...Object.keys(procedure.input.properties ?? {}), 'lastEventId', 'unknown'];
  const nearly = fc.tuple(right, fc.constantFrom(...names), wrongValue()).map(([value, at, wrong]) => ({
    ...(value as object),
    [at]: wrong,
  }));
  const none = Object.keys(procedure.input.properties ?? {}).length === 0 ? 4 : 1;
  return fc.oneof(
    { weight: 8, arbitrary: right.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: nearly.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: wrongValue().map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: naughtyJson() },
    { weight: none, arbitrary: fc.constant(null) },
  );
}

const callOf = (procedure: FuzzProcedure): fc.Arbitrary<FuzzCall> =>
  fc.record({
    name: fc.oneof({ weight: 30, arbitrary: fc.constant(procedure.name) }, { weight: 1, arbitrary: wrongName }),
    input: inputOf(procedure),
  });

const weighed = (some: readonly FuzzProcedure[]) =>
  fc.oneof(
    ...some.map((one) => ({ weight: hashing.has(one.name) ? 2 : 12, arbitrary: callOf(one).map((call) => [call]) })),
  );
const cheap = (type: FuzzProcedure['type']) =>
  fc.oneof(...procedures.filter((one) => one.type === type && !hashing.has(one.name)).map(callOf));
const batch = fc.oneof(
  { weight: 6, arbitrary: fc.array(cheap('query'), { minLength: 1, maxLength: 4 }) },
  { weight: 4, arbitrary: fc.array(cheap('mutation'), { minLength: 1, maxLength: 4 }) },
  {
    weight: 2,
    arbitrary: fc.array(fc.oneof(cheap('query'), cheap('mutation'), cheap('subscription')), {
      minLength: 2,
      maxLength: 3,
    }),
  },
  { weight: 1, arbitrary: cheap('query').map((call) => Array<FuzzCall>(MAX_BATCH).fill(call)) },
  { weight: 1, arbitrary: cheap('mutation').map((call) => Array<FuzzCall>(MAX_BATCH + 1).fill(call)) },
);

const usually = (right: string | null, wrong: fc.Arbitrary<string>, weight = 24) =>
  fc.oneof({ weight, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: wrong });

const queryOf = (isStream: boolean): fc.Arbitrary<RequestHeaders> => {
  const lastEventId = fc.tuple(
    fc.constant('lastEventId'),
    fc.oneof(naughty(), fc.constantFrom('0', '1', '-1', '1e9', '99999999999999999999', '', 'null')),
  );
  const weird = fc.tuple(
    fc.oneof(fc.constantFrom('connectionParams', 'batch', 'input', 'lastEventId', 'after'), naughty()),
    fc.oneof(fc.constantFrom('1', '2', '{}', '{"a":1}', 'null'), naughty()),
  );
  return fc.oneof(
    { weight: isStream ? 2 : 12, arbitrary: fc.constant([]) },
    { weight: isStream ? 3 : 1, arbitrary: lastEventId.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(weird, { minLength: 1, maxLength: 2 }) },
  );
};

const someHeaders = (method: string): fc.Arbitrary<RequestHeaders> => {
  const weird = fc.tuple(
    fc.constantFrom(
      'Accept',
      'Content-Encoding',
      'Content-Type',
      'Cookie',
      'Idempotency-Key',
      'Last-Event-ID',
      'Origin',
      'Trpc-Accept',
      'X-HTTP-Method-Override',
      'X-Request-Id',
    ),
    fc.oneof(naughty(), fc.constantFrom('application/jsonl', 'text/event-stream', 'multipart/form-data', 'gzip', '*')),
  );
  const usual = method === 'POST' ? [['Content-Type', 'application/json'] as const] : [];
  return fc
    .oneof(
      { weight: 6, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(weird, { minLength: 1, maxLength: 2 }) },
    )
    .map((more) => [...usual, ...more]);
};

/** Requests to tRPC: mostly of the right shape, with one or more places where they are not. */
export function trpcRequests(): fc.Arbitrary<FuzzCalls> {
  const calls = fc.oneof(
    { weight: 3, arbitrary: weighed(procedures).map((some) => ({ calls: some, isBatch: false })) },
    { weight: 1, arbitrary: batch.map((some) => ({ calls: some, isBatch: true })) },
  );
  return calls.chain(({ calls: some, isBatch }) => {
    const type = byName.get(some[0]?.name ?? '')?.type;
    const right = type === 'mutation' ? 'POST' : 'GET';
    return fc.record({
      as: fc.oneof(
        { weight: 6, arbitrary: fc.constant('owner' as const) },
        { weight: 1, arbitrary: fc.constantFrom('anonymous', 'other' as const) },
      ),
      method: usually(right, fc.constantFrom('GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE', 'post')).map(
        String,
      ),
      calls: fc.constant(some),
      isBatch: fc.constant(isBatch),
      inputs: usually(
        null,
        fc.oneof(
          naughtyJson(),
          wrongValue().map((value) => JSON.stringify(value)),
        ),
        12,
      ),
      query: queryOf(type === 'subscription'),
      headers: someHeaders(right),
      encoding: fc.oneof(
        { weight: 30, arbitrary: fc.constant('utf8' as const) },
        { weight: 1, arbitrary: fc.constantFrom('latin1', 'utf16le' as const) },
      ),
      unescaped: fc.oneof({ weight: 15, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    });
  });
}

/** Requests with one valid call for each procedure. */
export function validTrpcRequests(): fc.Arbitrary<FuzzCalls>[] {
  return procedures.map((procedure): fc.Arbitrary<FuzzCalls> => {
    const method = procedure.type === 'mutation' ? 'POST' : 'GET';
    return fc.record({
      as: fc.constant('owner'),
      method: fc.constant(method),
      calls: wholeInput(procedure, validIdOf).map((input) => [{ name: procedure.name, input: JSON.stringify(input) }]),
      isBatch: fc.constant(false),
      inputs: fc.constant(null),
      query: fc.constant([]),
      headers: fc.constant(method === 'POST' ? [['Content-Type', 'application/json']] : []),
      encoding: fc.constant('utf8'),
      unescaped: fc.constant(false),
    });
  });
}

/** The request as the world sends it: inputs go in the query of a GET and in the body of all else. */
export function callsOnTheWire(request: FuzzCalls): WorldRequest {
  const { as, method, calls, isBatch, unescaped, headers, encoding } = request;
  const text = request.inputs ?? (isBatch ? batched(calls) : (calls[0]?.input ?? null));
  const query: [string, string][] = [];
  if (isBatch) query.push(['batch', '1']);
  if (method === 'GET' && text !== null) query.push(['input', text]);
  const names = calls.flatMap(({ name }, at) => [...(at === 0 ? [] : [',']), { fill: name }]);
  const inQuery = [...query, ...request.query].flatMap(([name, value], at) => [
    at === 0 ? '?' : '&',
    { fill: name },
    '=',
    { fill: value },
  ]);
  const body = method === 'GET' || text === null ? null : { text, encoding };
  const places = calls.map(({ name }) => byName.get(name)?.place.path ?? '');
  const spends = {
    session: places.some(endsSessions),
    link: places.includes('/api/auth/codehost'),
  };
  return { as, method, target: ['/api/trpc/', ...names, ...inQuery], unescaped, headers, body, spends };
}

/** The inputs by their places; together they are JSON only when each is. */
function batched(calls: readonly FuzzCall[]): string {
  const members = calls.flatMap(({ input }, at) => (input === null ? [] : [`"${at}":${input}`]));
  return `{${members.join(',')}}`;
}
