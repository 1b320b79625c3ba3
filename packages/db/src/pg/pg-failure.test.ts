import { AppError } from '@sluice/core/error';
import { DrizzleQueryError } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { isAway, isConflict, isLockTimeout, pgFailure } from './pg-failure.ts';

/** The error that drizzle makes of the driver's: with the query and every value in its message. */
const wrapped = (code: string) =>
  new DrizzleQueryError('insert into t values ($1)', ['a secret'], Object.assign(new Error('no'), { code }));

it.each([
  ['a conflict', isConflict, '40001'],
  ['a deadlock', isConflict, '40P01'],
  ['a lost connection', isAway, '57P01'],
  ['a lock that was not had', isLockTimeout, '55P03'],
] as const)('knows %s also as drizzle passes it on', (_what, is, code) => {
  expect(is(wrapped(code))).toBe(true);
  expect(is(wrapped('23505'))).toBe(false);
});

it.each(['23505', '57P01', '22003'])('passes on neither the query nor its values: %s', (code) => {
  const failure = pgFailure(wrapped(code));
  expect(`${failure} ${JSON.stringify(failure)} ${(failure as Error).stack} ${(failure as Error).cause}`).not.toMatch(
    /secret|insert/,
  );
});

it.each(['55P03', '57014', '57P01', '25P03'])(
  'says of %s that the database is not ready, which may be tried again',
  (code) => {
    expect(pgFailure(wrapped(code))).toMatchObject({ code: 'not_ready', retry: true });
  },
);

it('finds the failure that a query was stopped with before it was sent', () => {
  const away = new AppError('not_ready');
  expect(pgFailure(new DrizzleQueryError('select $1', ['a secret'], away))).toBe(away);
});
