import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missingMigrations, printSchemas } from '../src/print-schemas.ts';
import * as pg from '../src/schema/schema-pg.ts';
import * as sqlite from '../src/schema/schema-sqlite.ts';

describe('the schema', () => {
  it('matches the committed golden dumps of both engines', async () => {
    for (const [path, sql] of Object.entries(await printSchemas())) {
      expect(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')).toBe(sql);
    }
  });

  it.each(['sqlite', 'pg'] as const)('has a migration for everything in it: %s', async (dialect) => {
    expect(await missingMigrations(dialect)).toEqual([]);
  });

  it('has the same tables on both engines', () => {
    expect(Object.keys(pg)).toEqual(Object.keys(sqlite));
  });
});
