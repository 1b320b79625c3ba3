import * as z from 'zod';

interface TextBounds {
  readonly min?: number;
  /** In characters (code points), as people and JSON Schema count them. */
  readonly max: number;
  /** Requires a single line without control characters. */
  readonly line?: boolean;
}

/** Text that every store can keep: no NUL, which Postgres refuses, and no lone surrogate, which a store would change. */
export function text({ min = 0, max, line = false }: TextBounds) {
  return z
    .string()
    .superRefine((value, context) => {
      const fault = storable(value) ?? (line ? onOneLine(value) : null) ?? within(value, { min, max });
      if (fault !== null) context.addIssue({ code: 'custom', message: fault });
    })
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max });
}

/** Text of at most `maxBytes` bytes in UTF-8. */
export function bytesOfText(maxBytes: number) {
  return z
    .string()
    .superRefine((value, context) => {
      const fault =
        storable(value) ?? (Buffer.byteLength(value) > maxBytes ? `must be at most ${maxBytes} bytes` : null);
      if (fault !== null) context.addIssue({ code: 'custom', message: fault });
    })
    .meta({ maxLength: maxBytes });
}

function storable(value: string): string | null {
  if (value.includes('\0')) return 'must not contain a NUL character';
  return value.isWellFormed() ? null : 'must be well-formed Unicode (it contains half of a surrogate pair)';
}

function onOneLine(value: string): string | null {
  return /[\p{Cc}\u2028\u2029]/u.test(value) ? 'must be on one line, without control characters' : null;
}

function within(value: string, { min, max }: { min: number; max: number }): string | null {
  // The cheap bound first, so that a megabyte is not counted: a code point has at most two code units.
  const characters = value.length > 2 * max ? Number.POSITIVE_INFINITY : [...value].length;
  if (characters > max) return `must be at most ${max} characters`;
  if (min > 0 && value.trim() === '') return 'must not be empty';
  return characters < min ? `must be at least ${min} characters` : null;
}
