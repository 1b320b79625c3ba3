import { AppError, type ErrorCode, errorCatalog, errorKinds } from '@sluice/core/error';
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { describe, expect, it } from 'vitest';
import { httpStatusByKind, publicError } from './public-error.ts';
import { trpcCodeByKind } from './to-trpc-error.ts';

describe('publicError', () => {
  it('has the same status on both transports for every kind', () => {
    for (const kind of errorKinds) {
      expect(getHTTPStatusCodeFromError(new TRPCError({ code: trpcCodeByKind[kind] })), kind).toBe(
        httpStatusByKind[kind],
      );
    }
  });

  it.each(Object.keys(errorCatalog) as ErrorCode[])('has a detail, a code and the request id for %s', (code) => {
    const { status, body } = publicError(new AppError(code), 'request-1');
    expect(status).toBe(httpStatusByKind[errorCatalog[code].kind]);
    expect(body).toEqual({ detail: expect.stringMatching(/\.$/), code: expect.any(String), request_id: 'request-1' });
  });

  it('reveals nothing of unknown errors: no message, no stack, no cause', () => {
    const secret = 'password=hunter2 at /srv/secret/file.ts';
    const thrown = [
      new Error(secret),
      new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: secret, cause: new Error(secret) }),
      new AppError('internal', { detail: secret }),
      new AppError('git_failed', { detail: secret, body: { path: secret } }),
      secret,
      { detail: secret },
      null,
      undefined,
    ];
    for (const one of thrown) {
      expect(publicError(one, 'r')).toEqual({
        status: 500,
        headers: {},
        body: { detail: errorCatalog.internal.message, code: 'internal', request_id: 'r' },
      });
    }
  });

  it('rounds a wait up to whole seconds, at least one', () => {
    for (const [retryAfterMs, seconds] of [
      [1, '1'],
      [1_000, '1'],
      [1_001, '2'],
    ] as const) {
      expect(publicError(new AppError('rate_limited', { retryAfterMs }), 'r').headers).toEqual({
        'Retry-After': seconds,
      });
    }
  });
});
