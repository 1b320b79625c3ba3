import { AppError } from '@sluice/core/error';
import { initTRPC } from '@trpc/server';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { publicProcedure, router, scopedProcedure, userProcedure } from '../../procedure/procedure.ts';
import type { RequestContext } from '../../procedure/request-context.ts';
import type { RouteMeta } from '../../procedure/route-meta.ts';
import { routeTable } from './route-table.ts';

const thing = publicProcedure
  .meta({ openapi: { method: 'POST', path: '/things/{id}', summary: 'Make a thing', tags: [] } })
  .input(z.strictObject({ id: z.string() }))
  .output(z.object({ made: z.string() }));

/** The one route, with what a call of it did in its order. */
function routeOf(things: Parameters<typeof router>[0], admit?: () => never) {
  const done: string[] = [];
  const [route, ...more] = routeTable(router({ things: router(things) }));
  if (route === undefined || more.length > 0) throw new Error('There is not one route.');
  const settle = async (succeeded: boolean) => void done.push(`settled ${succeeded}`);
  const admitted = async () => {
    done.push('admitted');
    return { actor: null, settle };
  };
  const ctx = { admit: admit ?? admitted } as unknown as RequestContext;
  const call = (input: unknown) =>
    route.call(ctx, async () => {
      done.push('read');
      return input;
    });
  return { done, call };
}

it('runs the steps of a procedure after its caller was admitted and its input read, its own steps too', async () => {
  const own: string[] = [];
  const stepped = thing.use(({ next, path }) => {
    own.push(path);
    return next();
  });
  const { done, call } = routeOf({ make: stepped.mutation(({ input }) => ({ made: input.id })) });
  await expect(call({ id: 'a' })).resolves.toEqual({ made: 'a' });
  expect(own).toEqual(['things.make']);
  expect(done).toEqual(['admitted', 'read', 'read', 'settled true']);
});

it('reads nothing of a caller who is refused', async () => {
  const { done, call } = routeOf({ make: thing.mutation(() => ({ made: 'a' })) }, () => {
    throw new AppError('session_missing');
  });
  await expect(call({ id: 'a' })).rejects.toMatchObject({ code: 'UNAUTHORIZED', cause: { code: 'session_missing' } });
  expect(done).toEqual([]);
});

it('settles the limit of a call that fails: by its input, or by what it did', async () => {
  const failing = () => {
    throw new AppError('issue_not_found');
  };
  const { done, call } = routeOf({ make: thing.mutation(failing) });
  await expect(call({ id: 1 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(call({ id: 'a' })).rejects.toMatchObject({ code: 'NOT_FOUND', cause: { code: 'issue_not_found' } });
  expect(done.filter((one) => one.startsWith('settled'))).toEqual(['settled false', 'settled false']);
});

it('refuses a procedure that does not check who calls it', () => {
  const bare = initTRPC
    .meta<RouteMeta>()
    .create()
    .procedure.meta({ openapi: { method: 'GET', path: '/things', summary: 'List things', tags: [] } })
    .query(() => []);
  expect(() => routeTable(router({ things: router({ list: bare }) }))).toThrow(
    'The procedure things.list does not check who calls it',
  );
});

it.each([
  ['a session', userProcedure, { session: true, token: undefined }],
  ['a token', scopedProcedure('approve'), { session: true, token: { scope: 'approve', reach: 'repo' } }],
])('asks for %s also where the declaration of a procedure says that none is needed', async (_what, kind, needed) => {
  const asked: unknown[] = [];
  const loose = kind
    .meta({ session: false, token: { scope: 'read', reach: 'repo' } })
    .meta({ openapi: { method: 'GET', path: '/things', summary: 'List things', tags: [] } })
    .query(() => []);
  const [route] = routeTable(router({ things: router({ list: loose }) }));
  const admit = async ({ session, token }: RouteMeta) => {
    asked.push({ session, token });
    throw new AppError('session_missing');
  };
  await expect(route?.call({ admit } as unknown as RequestContext, async () => undefined)).rejects.toThrow();
  expect(asked).toEqual([needed]);
});
