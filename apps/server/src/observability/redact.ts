import { IncomingMessage, ServerResponse } from 'node:http';

const REDACTED = '[redacted]';
// Endings, with case, "_" and "-" taken out: `current_password`, `accessToken`, `Set-Cookie`, `CODEHOST_CLIENT_SECRET`.
// `tokens` is none of them: how many a model used may be logged.
const SECRET = /(password|secret|token|cookie|authorization|apikey|encryptionkeys?|credentials?|rawheaders)$/;
const DEEPEST = 8; // a log line is for reading; deeper than that somebody logged a whole library object
const LONGEST_LIST = 100;

/** Fields of a log line without what must not be logged even where an object is logged whole by mistake. */
export function redact(fields: object): Record<string, unknown> {
  return redactMembers(fields, []);
}

function redactMembers(object: object, parents: readonly object[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      SECRET.test(name.replaceAll(/[_-]/g, '').toLowerCase()) ? REDACTED : redactValue(value, [...parents, object]),
    ]),
  );
}

function redactValue(value: unknown, parents: readonly object[]): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (parents.includes(value)) return '[circular]';
  if (parents.length >= DEEPEST) return '[deeper]';
  if (value instanceof Date) return value;
  if (value instanceof URL) return `${value.origin}${value.pathname}`;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof IncomingMessage) return redactRequest(value, parents);
  if (value instanceof ServerResponse) return { status: value.statusCode };
  if (value instanceof Error) return redactError(value, parents);
  if (value instanceof Headers || value instanceof Map) return redactMembers(Object.fromEntries(value), parents);
  if (Array.isArray(value) || value instanceof Set) {
    return [...value].slice(0, LONGEST_LIST).map((item) => redactValue(item, [...parents, value]));
  }
  return redactMembers(value, parents);
}

/** What of a request says which one it was; its socket and parser are of no use in a log, its query may hold a code. */
function redactRequest(request: IncomingMessage, parents: readonly object[]): unknown {
  const { method, headers, url = '' } = request;
  return { method, path: url.split('?')[0], headers: redactMembers(headers, [...parents, request]) };
}

function redactError(error: Error, parents: readonly object[]): unknown {
  const { name, message, stack, cause } = error;
  return {
    ...redactMembers(error, parents),
    name,
    message,
    stack,
    ...(cause === undefined ? {} : { cause: redactValue(cause, [...parents, error]) }),
  };
}
