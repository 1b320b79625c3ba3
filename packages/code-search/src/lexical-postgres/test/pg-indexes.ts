import { eventually, type PostgresDatabases } from '@sluice/testing';
import { expect } from 'vitest';
import { indexClock, type OpenIndexes } from '../../lexical/test/index-harness.ts';
import { createPgCodeIndex } from '../create-pg-code-index.ts';
import { SCHEMA } from '../index-schema.ts';

/** Indexes in a database of their own on a server. */
export function pgIndexesOn(server: () => PostgresDatabases): OpenIndexes {
  return async () => {
    const place = await server().createDatabase();
    const database = new URL(place).pathname.slice(1);
    return {
      place,
      open: (parser) =>
        createPgCodeIndex({
          url: place,
          applicationName: 'test',
          clock: indexClock,
          ...(parser === undefined ? {} : { parser }),
        }),
      rows: async () => {
        const count = (table: string) => `(select count(*)::int from ${SCHEMA}.${table}) as ${table}`;
        const [row] = await server().query(`select ${['blobs', 'chunks', 'words'].map(count).join(', ')}`, database);
        return { blobs: Number(row?.blobs), chunks: Number(row?.chunks), words: Number(row?.words) };
      },
      // A server may still be running its last query.
      deserted: async () =>
        await eventually(async () => {
          const killed = `select 1 from pg_stat_activity where application_name = 'to be killed' and datname = '${database}'`;
          expect(await server().query(killed)).toEqual([]);
        }),
      commit: async () => {
        const [made] = await server().query(`select to_regclass('${SCHEMA}.repos') is not null as made`, database);
        if (made?.made !== true) return null; // killed before it had made its tables
        const [row] = await server().query(`select commit_id from ${SCHEMA}.repos`, database);
        return row?.commit_id === undefined || row.commit_id === null ? null : String(row.commit_id);
      },
      [Symbol.asyncDispose]: async () => {},
    };
  };
}
