import { initTRPC } from '@trpc/server';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { publicProcedure } from '../procedure/procedure.ts';
import { stepsOf } from './execute-procedure.ts';

it('refuses a procedure with a step of its own, which REST would leave out', () => {
  const own = publicProcedure.input(z.strictObject({})).output(z.object({}));
  expect(
    stepsOf(
      'a.b',
      own.query(() => ({})),
    ),
  ).toMatchObject({ resolve: expect.any(Function) });
  const guarded = own.use(({ next }) => next()).query(() => ({}));
  expect(() => stepsOf('a.b', guarded)).toThrow('The procedure a.b has a step that REST does not know');
  expect(() =>
    stepsOf(
      'a.b',
      initTRPC.create().procedure.query(() => ({})),
    ),
  ).toThrow('a step');
});
