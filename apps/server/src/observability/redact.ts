import { IncomingMessage, ServerResponse } from 'node:http';

const REDACTED = '[redacted]';
// Suffixes of names, compared without case, "_" and "-": `current_password`, `accessToken`, `Set-Cookie`, `CODEHOST_CLIENT_SECRET`.
// `tokens` does not match: a model's token count may be logged.
const SECRET = /(password|secret|token|cookie|authorization|apikey|encryptionkeys?|credentials?|rawheaders)$/;
const MAX_DEPTH = 8; // anything deeper is a library object that was logged whole
const MAX_LIST_ITEMS = 100;
const MAX_NAMES = 1_000; // headers of strangers have any name,
const MAX_NAME_LENGTH = 64; // of any length

/** The fields of a log line without secrets, even if an object was logged whole by mistake. */
export function redact(fields: object): Record<string, unknown> {
  return redactMembers(fields, []);
}

function redactMembers(object: object, parents: readonly object[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      isSecret(name) ? REDACTED : redactValue(value, [...parents, object]),
    ]),
  );
}

const isSecretByName = new Map<string, boolean>();

/** Remembered: the same few names are in every line. */
function isSecret(name: string): boolean {
  const known = isSecretByName.get(name);
  if (known !== undefined) return known;
  const found = SECRET.test(name.replaceAll(/[_-]/g, '').toLowerCase());
  if (isSecretByName.size < MAX_NAMES && name.length <= MAX_NAME_LENGTH) isSecretByName.set(name, found);
  return found;
}

function redactValue(value: unknown, parents: readonly object[]): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (parents.includes(value)) return '[circular]';
  if (parents.length >= MAX_DEPTH) return '[deeper]';
  if (value instanceof Date) return value;
  if (value instanceof URL) return `${value.origin}${value.pathname}`;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof IncomingMessage) return redactRequest(value, parents);
  if (value instanceof ServerResponse) return { status: value.statusCode };
  if (value instanceof Error) return redactError(value, parents);
  if (Array.isArray(value) || value instanceof Set) {
    return [...value].slice(0, MAX_LIST_ITEMS).map((item) => redactValue(item, [...parents, value]));
  }
  if (Object.getPrototypeOf(value) === Object.prototype) return redactMembers(value, parents);
  // Not sooner: the first mention of `Headers` makes Node load its HTTP client, which a start need not wait for.
  if (value instanceof Headers || value instanceof Map) return redactMembers(Object.fromEntries(value), parents);
  return redactMembers(value, parents);
}

/** Method, path and headers. Socket and parser are useless in a log, and the query may contain a login code. */
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
