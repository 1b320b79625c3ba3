import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sluice } from './move-up-scene.ts';
import { startScratchServer } from './scratch-server.ts';

describe('an embedded installation that moves to Postgres', () => {
  it.each([
    ['mysql://a@b/c', 2, /the target: is not postgres:/],
    ['postgres://nobody:hunter2@127.0.0.1:1/none', 1, /cannot be reached|no embedded database/],
  ])('refuses a wrong target in one sentence, without its password: %s', async (url, code, said) => {
    const ended = await sluice(['migrate-to', url], { DATA_DIR: '/tmp/sluice-there-is-none', HOME: '/tmp' });
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toMatch(said);
    expect(ended.stderr).not.toMatch(/hunter2|\n {4}at /);
  });
});

describe('sluice migrate', () => {
  it('migrates a data folder, which a dry run does not create', async () => {
    await using server = await startScratchServer();
    const DATA_DIR = join(server.dataDir, 'of-its-own');
    const environment = { HOME: server.dataDir, DATA_DIR };
    expect((await sluice(['migrate', '--dry-run'], environment)).stdout).toMatch(
      /SQLite database has \d+ migrations pending/,
    );
    expect(() => readFileSync(join(DATA_DIR, 'lock.db'))).toThrow(/ENOENT/);
    expect((await sluice(['migrate'], environment)).stdout).toMatch(
      /SQLite database is up to date after \d+ migrations/,
    );
    const inUse = await sluice(['migrate', '--data-dir', server.dataDir], environment);
    expect(inUse).toMatchObject({ code: 1, stderr: expect.stringMatching(/^sluice: Another Sluice process/) });
  });
});
