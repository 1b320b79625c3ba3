import { describe, expect, it } from 'vitest';
import { AppError, toAppError } from './app-error.ts';
import { type ErrorCode, errorCatalog } from './error-catalog.ts';
import { errorKinds } from './error-kind.ts';

const codes = Object.keys(errorCatalog) as ErrorCode[];

describe('the error catalogue', () => {
  it.each(codes)('gives %s a stable word, a known kind and a sentence', (code) => {
    const { kind, message } = errorCatalog[code];
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(errorKinds).toContain(kind);
    expect(message).toMatch(/^[A-Z].*\.$/);
    const error = new AppError(code);
    expect(error).toMatchObject({ code, message, kind, retry: errorCatalog[code].retry, name: 'AppError' });
  });

  it('has an error of every kind, so that no edge maps one that cannot occur', () => {
    expect([...new Set(codes.map((code) => errorCatalog[code].kind))].sort()).toEqual([...errorKinds].sort());
  });

  it('never has the client at fault tried again by itself', () => {
    const faults = ['invalid', 'unauthenticated', 'forbidden', 'not_found', 'conflict', 'too_large'];
    const retried = codes.filter((code) => errorCatalog[code].retry && faults.includes(errorCatalog[code].kind));
    expect(retried).toEqual([]);
  });
});

describe('an error', () => {
  it('says its detail instead of the catalogue and keeps its cause', () => {
    const cause = new Error('below');
    const error = new AppError('git_failed', { detail: 'The fetch failed.', retryAfterMs: 5 }, { cause });
    expect(error).toMatchObject({ message: 'The fetch failed.', cause, details: { retryAfterMs: 5 } });
  });

  it.each([new Error('secret'), 'secret', null, undefined, { code: 'git_failed' }])(
    'of an unknown kind becomes an internal error without details: %j',
    (thrown) => {
      const error = toAppError(thrown);
      expect(error).toMatchObject({ code: 'internal', kind: 'bug', cause: thrown });
      expect(error.message).not.toContain('secret');
      expect(toAppError(error)).toBe(error);
    },
  );
});
