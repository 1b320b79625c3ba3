import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod';
import { errorWire } from '../../src/error/public-error.ts';
import type { RawAnswer } from './raw-exchange.ts';
import { fuzzProcedures } from './trpc-procedures.ts';
import type { FuzzCalls } from './trpc-requests.ts';

/** The statuses of requests that are refused before tRPC sees them, with the body that REST has. */
const beforeTrpc = new Set([400, 403, 404, 405, 413, 415, 431]);

const errorShape = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    code: { type: 'integer' },
    data: {
      type: 'object',
      properties: {
        code: { type: 'string', pattern: '^[A-Z_]+$' },
        httpStatus: { type: 'integer', minimum: 400, maximum: 599 },
        error: { type: 'object' },
      },
      required: ['code', 'httpStatus', 'error'],
      additionalProperties: false,
    },
  },
  required: ['message', 'code', 'data'],
  additionalProperties: false,
};

interface CallAnswer {
  readonly error?: { readonly data: { readonly httpStatus: number } };
}

type Validators = ReadonlyMap<string, ValidateFunction>;

/** Says what is wrong with an answer of tRPC by what its procedures say of themselves; null when nothing is. */
export function trpcJudge(): (request: FuzzCalls, answer: RawAnswer) => string | null {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  const procedures = fuzzProcedures();
  const names = new Set(procedures.map(({ name }) => name));
  const streams = new Set(procedures.filter(({ type }) => type === 'subscription').map(({ name }) => name));
  const outputs: Validators = new Map(
    procedures.flatMap(({ name, output }) => (output === null ? [] : [[name, ajv.compile(output)] as const])),
  );
  const isError = ajv.compile(errorShape);
  const isPlainError = ajv.compile(z.toJSONSchema(errorWire));

  const callFault = (name: string | null, one: unknown): string | null => {
    const { error, result, ...more } = (one ?? {}) as Record<string, unknown>;
    if (Object.keys(more).length > 0) return `${name}: there is more than a result or an error`;
    if (error !== undefined) {
      if (!isError(error)) return `${name}: an error of another shape: ${ajv.errorsText(isError.errors)}`;
      const { data } = error as { data: { httpStatus: number; error: unknown } };
      if (!isPlainError(data.error))
        return `${name}: an error without its body: ${ajv.errorsText(isPlainError.errors)}`;
      return data.httpStatus === 500 || data.httpStatus === 501 ? `${name}: something failed on the server` : null;
    }
    if (typeof result !== 'object' || result === null) return `${name}: there is neither a result nor an error`;
    if (name === null) return null;
    if (!names.has(name)) return `${name}: a result of what is no procedure`;
    const output = outputs.get(name);
    if (output === undefined) return Object.keys(result).length === 0 ? null : `${name}: it answers, and has no output`;
    const { data } = result as { data?: unknown };
    return output(data) ? null : `${name}: ${ajv.errorsText(output.errors)}`;
  };

  return (request, { status, headers, text }) => {
    const { method } = request;
    const called = namesOf(request);
    const type = headers.get('content-type')?.split(';', 1)[0] ?? null;
    if (status >= 500 && status !== 503 && status !== 502) return 'something failed on the server';
    // What the parser refuses has no method that anybody knows of.
    const isParsed = !text.includes('"malformed_request"') && !text.includes('"headers_too_large"');
    if (method === 'HEAD' && isParsed) return status >= 400 && text === '' ? null : 'HEAD is answered';
    if (type === 'text/event-stream') {
      return called === null || streams.has(called[0] ?? '') ? null : 'a stream of what is no subscription';
    }
    if (method === 'OPTIONS' && status === 204) return null;
    if (type !== 'application/json') return `the body is ${type}`;
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      return 'the body is said to be JSON and is none';
    }
    if (isPlainError(parsed)) {
      return beforeTrpc.has(status) ? null : `a ${status} that is not of tRPC`;
    }
    if (!headers.has('x-request-id')) return 'the answer has no X-Request-Id';
    if (headers.get('cache-control') === undefined) return 'nothing says whether the answer may be kept';
    const answers = Array.isArray(parsed) ? (parsed as readonly CallAnswer[]) : null;
    const isBatch = request.isBatch || request.query.some(([name]) => name.includes('batch'));
    if (answers !== null && !isBatch) return 'one call is answered as a batch';
    if (answers === null && request.isBatch && statusOf(parsed as CallAnswer) < 400)
      return 'a batch is answered as one call';
    const some = answers ?? [parsed as CallAnswer];
    if (called !== null && answers !== null && some.length !== called.length)
      return `${some.length} answers to ${called.length}`;
    for (const [at, one] of some.entries()) {
      const fault = callFault(called === null ? null : (called[at] ?? ''), one);
      if (fault !== null) return fault;
    }
    const statuses = new Set(some.map(statusOf));
    const expected = statuses.size === 1 ? [...statuses][0] : 207;
    return status === expected ? null : `${status} for ${[...statuses].join()}`;
  };
}

/** The procedures that a path calls; null where a name that goes as it is may end that. */
function namesOf({ calls, isBatch, unescaped }: FuzzCalls): string[] | null {
  const path = calls.map(({ name }) => name).join(',');
  if (unescaped && /[?%]/.test(path)) return null;
  return isBatch ? path.split(',') : [path];
}

const statusOf = ({ error }: CallAnswer) => error?.data.httpStatus ?? 200;
