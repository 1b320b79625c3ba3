import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssueId } from '@sluice/core/id';
import { replayStatus, settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/index.ts';
import { startWriter } from '../killed-writer.ts';
import type { Acknowledged } from '../write-until-killed.ts';

// Usual way: packages/db/test/data-folder.test.ts

const clock = settableClock();

describe('the data folder', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'sluice-data-folder-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('keeps every write that was acknowledged, and no half of one, when its process is killed', async () => {
    const acknowledged: Acknowledged[] = [];
    for (const count of [1, 40, 173]) {
      await using writer = startWriter(dataDir);
      await writer.until(count);
      await writer.kill();
      acknowledged.push(...writer.acknowledged);

      const stores = await openSqlite({ dataDir, clock });
      for (const { issueId, seq } of acknowledged) {
        const id = issueId as IssueId;
        const events = await stores.issues.events(id, { after: 0, limit: 1_000 });
        expect(events.length).toBeGreaterThanOrEqual(seq);
        expect(replayStatus(events)).toBe((await stores.issues.get(id))?.status);
        const messages = events.filter(({ type }) => type === 'user.message');
        expect(await stores.runs.journal(id, { stage: 'implement', round: 1 })).toHaveLength(messages.length);
      }
      // What it was working on can be taken over at once.
      await stores.runs.expireLeases();
      const open = await stores.runs.claimable(10);
      expect(open.length).toBeLessThanOrEqual(2);
      for (const id of open) expect(await stores.runs.claim(id, { owner: 'successor', ttlMs: 1 })).not.toBeNull();
      await stores.close();
      expectSound(join(dataDir, 'sluice.db'));
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(214);
  });
});

function expectSound(file: string): void {
  const database = new Sqlite(file, { readonly: true });
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(database.pragma('foreign_key_check')).toEqual([]);
  database.close();
}
