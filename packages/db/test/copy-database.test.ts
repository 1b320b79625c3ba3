import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { copyDatabase, inspectCopy } from '../src/index.ts';
import type { Acknowledged } from './write-until-killed.ts';

const script = fileURLToPath(new URL('./write-until-killed.ts', import.meta.url));

it('copies one instant while another process writes as fast as it can: all that was acknowledged before, and no half write', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-copy-'));
  const writer = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(writer, 'exit');
  const acknowledged = new Map<string, number>();
  try {
    let copies = 0;
    let atLastCopy = 0;
    for await (const line of createInterface({ input: writer.stdout })) {
      const { issueId, seq } = JSON.parse(line) as Acknowledged;
      acknowledged.set(issueId, seq);
      if (acknowledged.size < atLastCopy + 10) continue;
      atLastCopy = acknowledged.size;
      copies += 1;
      const file = join(dataDir, `copy-${copies}`);
      const { tables } = copyDatabase(dataDir, file);
      expect(inspectCopy(file).tables).toEqual(tables);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      using copy = open(file);
      const count = (sql: string) => copy.connection.prepare<[], number>(sql).pluck().get() ?? Number.NaN;
      for (const [id, last] of acknowledged) {
        expect(count(`select last_seq from issues where id = '${id}'`)).toBeGreaterThanOrEqual(last);
      }
      // An event and its issue's number are one write.
      expect(
        count(`select count(*) from issues i where last_seq <> (select count(*) from events e where e.issue_id = i.id)
                 or last_seq <> (select max(seq) from events e where e.issue_id = i.id)`),
      ).toBe(0);
      if (copies === 5) break;
    }
    expect(copies).toBe(5);
  } finally {
    writer.kill('SIGKILL');
    await ended;
    rmSync(dataDir, { recursive: true });
  }
});

function open(file: string): Disposable & { readonly connection: Sqlite.Database } {
  const connection = new Sqlite(file, { readonly: true });
  return { connection, [Symbol.dispose]: () => void connection.close() };
}
