import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it, onTestFinished, vi } from 'vitest';
import { DATABASE_FOLDER, databaseFolder, RUN_FOLDER, setup } from './run-folder.ts';

const MEMORY = '/dev/shm';

/** The id of a process that has ended. */
function endedPid(): number {
  return Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
}

function leftBehind(pid: number, hours: number, place = MEMORY): string {
  const folder = `${place}/sluice-test-run-${pid}-${hours}`;
  mkdirSync(folder);
  const at = Date.now() / 1_000 - hours * 3_600;
  utimesSync(folder, at, at);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it.runIf(existsSync(MEMORY))('a run deletes its folders, and what a killed run left', () => {
  vi.stubEnv(RUN_FOLDER, undefined)
    .stubEnv(DATABASE_FOLDER, undefined)
    .stubEnv('XDG_CONFIG_HOME', '')
    .stubEnv('TMPDIR', undefined);
  const ended = endedPid();
  const [killed, recent, running] = [leftBehind(ended, 2), leftBehind(ended, 0), leftBehind(process.pid, 2)];
  const onDisk = leftBehind(ended, 3, tmpdir());
  const tearDown = setup();
  const folders = [process.env[RUN_FOLDER] ?? '', databaseFolder()];
  expect([killed, onDisk, recent, running].map((folder) => existsSync(folder))).toEqual([false, false, true, true]);
  expect(folders.map((folder) => existsSync(folder))).toEqual([true, true]);
  tearDown();
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, false]);
});
