import { readFileSync } from 'node:fs';
import { settableClock, sharedPostgres } from '@sluice/testing';
import { expect, it } from 'vitest';
import { openPostgres } from '../src/index.ts';
import { nameOf } from './pg-schema.ts';

const page = readFileSync(new URL('../../../docs/backup.md', import.meta.url), 'utf8');

it('a restored Postgres gets another epoch from the statement in docs/backup.md', async () => {
  await using server = await sharedPostgres();
  const url = await server.createDatabase();
  const statement = /```sql\n(?<sql>.*?)```/s.exec(page)?.groups?.sql ?? '';
  const epoch = async () => {
    await using stores = await openPostgres({ url, applicationName: 'sluice-test', clock: settableClock() });
    return await stores.eventLog.epoch();
  };
  expect(await epoch()).toBeNull();
  const epochs = new Set<string | null>();
  for (let restore = 0; restore < 2; restore += 1) {
    await server.query(statement, nameOf(url));
    epochs.add(await epoch());
  }
  expect(epochs.size).toBe(2);
  for (const one of epochs) expect(one).toMatch(/^[0-9a-f]{8}$/);
});
