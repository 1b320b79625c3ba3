import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { backUp } from '../src/storage/backup/back-up.ts';
import { restoreBackup } from '../src/storage/backup/restore-backup.ts';
import { anIssueAtGate } from './an-issue.ts';
import { signUp } from './http-session.ts';
import { makeScratchRepo } from './scratch-repo.ts';
import { scratchFolder, startScratchServer } from './scratch-server.ts';

describe('WORKSPACES_DIR', () => {
  function folder(): string {
    const path = scratchFolder();
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    return path;
  }

  it('holds clones and working trees, which no command sees and no user can register', async () => {
    const workspaces = folder();
    const elsewhere = makeScratchRepo({ 'a.txt': 'one\n' }, 'repo');
    await using server = await startScratchServer({ WORKSPACES_DIR: workspaces });
    const person = await signUp(server.url);
    // The issue's own clone is shown, so the folders above it are there, and are empty but for it.
    const look = `ls ${workspaces} ${workspaces}/caches`;
    const { id, repoId } = await anIssueAtGate(person, { fields: { setup_command: look } });
    expect(readdirSync(join(workspaces, 'trees'))).toEqual([id]);
    expect(existsSync(join(server.dataDir, 'workspaces'))).toBe(false);
    const log = await person.call<{ items: { command: string; text: string }[] }>('GET', `/api/issues/${id}/log`);
    const seen = log.body.items.filter(({ command }) => command === look);
    expect(seen.map(({ text }) => text).join('')).toBe(
      `${workspaces}:\ncaches\n\n${workspaces}/caches:\n${repoId}.git\n`,
    );
    const inside = join(workspaces, 'own');
    elsewhere.git('clone', '-q', '--bare', elsewhere.path, inside);
    const refused = await person.call('POST', '/api/repos', { url: inside });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("service's own data");
  });

  it('is for one service at a time', async () => {
    const workspaces = folder();
    await using _first = await startScratchServer({ WORKSPACES_DIR: workspaces });
    const second = startScratchServer({ WORKSPACES_DIR: workspaces }, folder());
    await expect(second).rejects.toThrow(
      'Another Sluice process uses this folder of working trees: stop it, or set WORKSPACES_DIR to another folder.',
    );
  });

  it.each([
    ['beside', (_dataDir: string) => folder()],
    ['in', (dataDir: string) => join(dataDir, 'trees-and-clones')],
  ])(
    'is emptied by a restore, %s the data folder: a tree may not be newer than its database',
    async (_where, place) => {
      const dataDir = folder();
      const workspaces = place(dataDir);
      await using server = await startScratchServer({ WORKSPACES_DIR: workspaces }, dataDir);
      await server.close();
      const options = { overrides: { DATA_DIR: server.dataDir, WORKSPACES_DIR: workspaces }, dotEnv: false };
      const file = join(folder(), 'backup.tar.gz');
      await backUp({ file, replace: false, ...options });
      mkdirSync(join(workspaces, 'trees/of-an-issue'), { recursive: true });
      writeFileSync(join(workspaces, 'trees/of-an-issue/file'), 'later work');
      await restoreBackup({ file, ...options, confirmReplace: async () => undefined });
      expect(existsSync(join(workspaces, 'trees'))).toBe(false);
    },
  );
});
