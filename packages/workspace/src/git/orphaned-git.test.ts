import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { until } from '@sluice/testing';
import { expect, test } from 'vitest';
import { createGit } from './git.ts';
import { endOrphanedGit } from './orphaned-git.ts';
import { type Scratch, scratchFolder } from './test/scratch.ts';

const hasProc = existsSync('/proc/self/environ');

/** A git that runs until it is ended, and writes its process id to a file. */
function longCall(scratch: Scratch, name: string): string[] {
  return ['-c', `alias.x=!echo $$ > ${scratch.join(name)} && sleep 1000`, 'x'];
}

async function pidIn(scratch: Scratch, name: string): Promise<number> {
  const read = async (): Promise<string> => (await readFile(scratch.join(name), 'utf8').catch(() => '')).trim();
  await until(`${name} runs`, async () => (await read()) !== '');
  return Number(await read());
}

/** A process that is dead but not yet buried by its new parent has no environment any more. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8') !== '';
  } catch {
    return false;
  }
}

test.runIf(hasProc)(
  'ends what a killed service left running, and nothing of a living one or of another folder',
  async () => {
    await using scratch = await scratchFolder();
    await using elsewhere = await scratchFolder();
    const start = (root: string, name: string): string =>
      `createGit({ ownerRoot: ${JSON.stringify(root)} }).run(${JSON.stringify(longCall(scratch, name))}).catch(() => undefined);`;
    const service = spawn(process.execPath, [
      '--input-type=module-typescript',
      '-e',
      `import { createGit } from ${JSON.stringify(new URL('./git.ts', import.meta.url).href)};
     ${start(scratch.path, 'orphan')} ${start(elsewhere.path, 'other')}`,
    ]);
    const cancel = new AbortController();
    const living = createGit({ ownerRoot: scratch.path }).run(longCall(scratch, 'living'), { signal: cancel.signal });
    living.catch(() => undefined);
    const [orphan, other, own] = await Promise.all(['orphan', 'other', 'living'].map((name) => pidIn(scratch, name)));
    expect(await endOrphanedGit(scratch.path)).toBe(0);
    service.kill('SIGKILL');
    await until('the service is dead', () => service.signalCode !== null);
    expect(isRunning(orphan ?? 0)).toBe(true);
    expect(await endOrphanedGit(scratch.path)).toBeGreaterThan(0);
    expect([orphan, other, own].map((pid) => isRunning(pid ?? 0))).toEqual([false, true, true]);
    expect(await endOrphanedGit(elsewhere.path)).toBeGreaterThan(0);
    cancel.abort(new Error('enough'));
    await expect(living).rejects.toThrow('enough');
  },
);
