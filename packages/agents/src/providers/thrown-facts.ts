import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  NoOutputGeneratedError,
  RetryError,
  TypeValidationError,
} from 'ai';
import { UnreadableAnswer } from './compatible/unreadable-answer.ts';

/** What can be learnt from anything that the SDK throws or passes on, without the request and the headers in it. */
export interface ThrownFacts {
  readonly name: string;
  /** The provider's own words, or the SDK's. */
  readonly message: string;
  readonly status: number | null;
  /** Types and codes, as the provider spells them, e.g. `insufficient_quota`, and codes of the network. */
  readonly codes: readonly string[];
  readonly retryAfterMs: number | null;
  /** What an answer was that cannot be read; null for any other failure. */
  readonly unreadable: UnreadableFacts | null;
  /** Every text that was sent, so that an echo of it can be found. */
  readonly sent: string;
  readonly frames: string;
}

export type UnreadableFacts = Pick<UnreadableAnswer, 'contentType' | 'start' | 'expected'>;

const MAX_WAIT_MS = 3_600_000; // a server that asks for more than an hour is better asked once an hour

/** Reads an error of the SDK's, of the network's, or an object that a provider sent in the middle of a stream. */
export function thrownFacts(thrown: unknown): ThrownFacts {
  const error = inner(thrown);
  const record = asRecord(error);
  const { vendor, sentence } = vendorError(record.data ?? parsed(record.responseBody));
  // The SDK knows one form of an error. In any other, it gives the name of the status for the words.
  const known = record.data === undefined ? sentence || record.message : (record.message ?? sentence);
  const words = known ?? (typeof error === 'string' ? error : '');
  return {
    name: typeof record.name === 'string' ? record.name : 'Error',
    message: textsIn(words).join(' '),
    status: [record.statusCode, record.status, record.code, vendor.code].find(isHttpFailure) ?? null,
    codes: [...codesOf(record), ...codesOf(vendor), ...causes(error).flatMap((cause) => codesOf(asRecord(cause)))],
    retryAfterMs: retryAfterMs(asRecord(record.responseHeaders)),
    unreadable: error instanceof UnreadableAnswer ? error : null,
    sent: sentBy(error),
    frames:
      error instanceof Error
        ? (error.stack ?? '')
            .split('\n')
            .filter((line) => /^\s+at /.test(line))
            .join('\n')
        : '',
  };
}

function sentBy(error: unknown): string {
  if (error instanceof UnreadableAnswer) return error.sent();
  return APICallError.isInstance(error) ? textsIn(error.requestBodyValues).join('\n') : '';
}

/** The error in a vendor's answer, which Google wraps in a list and some put at the top or into a member of their own. */
function vendorError(answer: unknown): { readonly vendor: Record<string, unknown>; readonly sentence: string } {
  const payload = asRecord(Array.isArray(answer) ? answer[0] : answer);
  const error = payload.error ?? asRecord(payload.response).error ?? payload;
  const vendor = asRecord(error);
  const said = typeof error === 'string' ? error : (vendor.message ?? vendor.detail ?? vendor.errors);
  return { vendor, sentence: textsIn(said).join(' ') };
}

const MAX_ERROR_CHARACTERS = 100_000; // more is a page, and none of its words are an error's

/** The body of a refusal: JSON, or a line of plain text. A page says nothing that people need. */
function parsed(body: unknown): unknown {
  if (typeof body !== 'string' || body.length > MAX_ERROR_CHARACTERS) return null;
  try {
    return JSON.parse(body);
  } catch {
    return /^\s*</.test(body) ? null : { error: body };
  }
}

/** The first cause: the last try of several, and what kept an answer from coming. */
function inner(thrown: unknown): unknown {
  if (RetryError.isInstance(thrown)) return inner(thrown.lastError);
  if (JSONParseError.isInstance(thrown) || TypeValidationError.isInstance(thrown)) return unreadable(thrown);
  // Without a piece, the stream ended before its end.
  if (InvalidResponseDataError.isInstance(thrown) && thrown.data !== undefined)
    return unreadablePiece(JSON.stringify(thrown.data));
  return NoOutputGeneratedError.isInstance(thrown) && thrown.cause !== undefined ? inner(thrown.cause) : thrown;
}

/**
 * A piece of an answer in a form that the SDK does not know: a failure in a server's own words, or else a model's words,
 * which tell nothing of what failed.
 */
function unreadable(thrown: JSONParseError | TypeValidationError): unknown {
  const value = asRecord(asRecord(thrown).value);
  const error = value.error ?? asRecord(value.response).error;
  if (error !== undefined && error !== null) return textsIn(error).join(' ');
  const { text } = asRecord(thrown);
  return unreadablePiece(typeof text === 'string' ? text : (JSON.stringify(asRecord(thrown).value) ?? ''));
}

function unreadablePiece(piece: string): UnreadableAnswer {
  return new UnreadableAnswer({
    contentType: null,
    start: piece.slice(0, MAX_START_CHARACTERS),
    expected: 'a piece of an answer as the API defines it',
  });
}

const MAX_START_CHARACTERS = 2_000; // what is shown of it is cut after secrets are removed

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let next = asRecord(error).cause; next !== undefined && chain.length < 5; next = asRecord(next).cause)
    chain.push(next);
  return chain;
}

function codesOf({ code, type }: Record<string, unknown>): string[] {
  return [code, type].filter((value) => typeof value === 'string');
}

/** From the headers that the vendors use: milliseconds, seconds, or a date. */
function retryAfterMs(headers: Record<string, unknown>): number | null {
  const exact = Number.parseFloat(String(headers['retry-after-ms'] ?? ''));
  const after = String(headers['retry-after'] ?? '');
  const seconds = /^\s*[\d.]+\s*$/.test(after) ? Number.parseFloat(after) * 1_000 : Date.parse(after) - Date.now();
  const ms = [exact, seconds].find(Number.isFinite);
  return ms === undefined ? null : Math.min(MAX_WAIT_MS, Math.max(0, Math.ceil(ms)));
}

const MAX_DEPTH = 100; // an error has a few levels, and a server may send one that is deeper than the stack

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return [];
  return Object.values(value).flatMap((member) => textsIn(member, depth + 1));
}

function isHttpFailure(value: unknown): value is number {
  return typeof value === 'number' && value >= 300 && value <= 599;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
