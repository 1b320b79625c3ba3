import { AppError } from '@sluice/core/error';

/** Requests have a few levels; a deeper one is meant to exhaust the stack. */
const MAX_DEPTH = 33;
/** Ten times as many as the largest request has. Parsing and checking 1,000 takes a millisecond, a full MiB of them 300. */
const MAX_MEMBERS = 1_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const openers = new Set([0x7b, 0x5b]);
const closers = new Set([0x7d, 0x5d]);
const whitespace = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Counts the members (object keys and array elements) and the depth of a JSON text without parsing it. The text may be
 * invalid.
 *
 * @throws AppError `validation_failed` when there are too many members or levels
 */
export function requireBoundedJson(text: Uint8Array): void {
  let members = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let hasJustOpened = false;
  for (const byte of text) {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) isInString = false;
      continue;
    }
    if (whitespace.has(byte)) continue;
    const closes = closers.has(byte);
    // The first member follows the opening bracket, each further one a comma.
    if (byte === COMMA || (hasJustOpened && !closes)) members += 1;
    hasJustOpened = openers.has(byte);
    if (hasJustOpened) depth += 1;
    else if (closes) depth -= 1;
    else if (byte === QUOTE) isInString = true;
    if (members > MAX_MEMBERS) {
      throw new AppError('validation_failed', {
        detail: `The body has more than ${MAX_MEMBERS} members (object keys and array elements). Send fewer.`,
      });
    }
    if (depth > MAX_DEPTH) throw new AppError('validation_failed', { detail: 'The body is nested too deeply.' });
  }
}
