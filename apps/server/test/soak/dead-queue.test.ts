import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, until } from '@sluice/testing';
import { expect, it } from 'vitest';
import { useFleet } from '../fleet.ts';

const { services, start } = useFleet();

it('ends a worker with an error whose queue stays silent although the database answers, after it was not ready', async () => {
  const environment = await services().installation();
  const worker = await start({ ...environment, ROLE: 'worker' });
  const ready = () => fetch(`${worker.url}/api/health/ready`);
  await eventually(async () => expect((await ready()).status).toBe(200));
  // Every poll waits for this lock. Nothing else does.
  await using _lock = await services().postgres.idleTransaction(
    'lock table graphile_worker._private_jobs in access exclusive mode',
    new URL(environment.DATABASE_URL ?? '').pathname.slice(1),
  );
  await until('the worker is not ready', async () => (await ready()).status === 503);
  expect(await (await ready()).json()).toMatchObject({
    detail: 'Not usable: database.',
    checks: { database: { status: 'down' }, cache: { status: 'up' } },
  });
  await worker.ended;
  expect(await worker.stop()).toBe(1);
  expect(readFileSync(join(worker.dataDir, 'process.log'), 'utf8')).toContain('The job queue brings no issues');
});
