import { expect, it } from 'vitest';
import * as tables from '../schema/schema-sqlite.ts';
import { ERASED_TABLES, KEPT_TABLES } from './deletion-store.ts';

it('knows of every table with a user whether its rows go with them', () => {
  const ofUsers = Object.entries(tables).flatMap(([name, table]) => ('userId' in table ? [name] : []));
  expect([...ERASED_TABLES, ...KEPT_TABLES].toSorted()).toEqual(ofUsers.toSorted());
});
