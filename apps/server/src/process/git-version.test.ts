import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseConfig } from '../config/parse-config.ts';
import { startServer } from '../server.ts';
import { refuseOldGit } from './git-version.ts';
import { StartError } from './start-error.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-git-version-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function fakeGit(version: string): void {
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho git version '${version}'\n`, { mode: 0o755 });
}

it('refuses to start when git cannot pin checked addresses', async () => {
  fakeGit('2.34.1');
  const dataDir = join(folder, 'data');
  const start = startServer(parseConfig({ PATH: folder, PORT: '0', DATA_DIR: dataDir }));
  await expect(start).rejects.toThrow(StartError);
  await expect(start).rejects.toThrow('git version 2.34.1 is too old');
  await expect(start).rejects.toThrow('Install git 2.37 or newer');
  expect(existsSync(dataDir)).toBe(false);
});

it.each(['2.37.0', '2.100.0', '3.0.0 (Apple Git-1)'])('lets the server start with git %s', async (version) => {
  fakeGit(version);
  await refuseOldGit(folder);
});

it('lets the server start without git', async () => {
  await refuseOldGit(folder);
});
