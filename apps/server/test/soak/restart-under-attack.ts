import { setTimeout as pause } from 'node:timers/promises';
import type { IssueWire } from '@sluice/core';
import { signUp } from '../http-session.ts';
import { makeScratchRepo } from '../scratch-repo.ts';
import { register } from './attack-lane.ts';
import type { SmallDisk } from './small-disk.ts';
import type { SoakedServer } from './soaked-server.ts';

const ATTACKS_LIMIT_MS = 60_000;
const FILLED_BYTES = 64 * 2 ** 20; // so much less is free: the attack is at work
const LOOK_MS = 20;

/**
 * Kills the server again and again while a command fills its disk, and starts it over what is left.
 *
 * @param script what the command runs
 * @returns the milliseconds of each start
 * @throws Error when it does not start
 */
export async function restartUnderAttack(
  { server, disk }: { server: SoakedServer; disk: SmallDisk },
  script: string,
  times: number,
): Promise<readonly number[]> {
  const repo = makeScratchRepo({ 'a.txt': 'one\n', 'attack.py': script }, 'restarts');
  let person = await signUp(server.url, 'restarts@example.com');
  const repo_id = await register(person, repo.path);
  const change = { setup_command: 'python3 attack.py fallocate; python3 attack.py inodes', test_command: 'true' };
  await person.call('PATCH', `/api/repos/${repo_id}`, change);
  const starts: number[] = [];
  let id: string | null = null;
  for (let time = 0; time < times; time += 1) {
    const issue: IssueWire | null = id === null ? null : await person.issue(id);
    // A restart takes the issue up again by itself, until its attempts are used up.
    if (issue === null || issue.status === 'failed' || issue.status === 'cancelled') {
      const text = { title: 'Replace one', body: 'In `a.txt` replace `one` with `two`.' };
      const created = await person.call<IssueWire>('POST', '/api/issues', { repo_id, ...text });
      if (created.status !== 201) throw new Error(`The issue was answered with ${created.status}.`);
      id = created.body.id;
    }
    await filling(disk);
    await server.kill();
    starts.push(await server.start());
    person = person.at(server.url);
  }
  return starts;
}

/** Waits until the disk is being filled, or long enough that it should have been. */
async function filling(disk: SmallDisk): Promise<void> {
  const before = disk.freeBytes();
  const limit = performance.now() + ATTACKS_LIMIT_MS;
  while (performance.now() < limit && before - disk.freeBytes() < FILLED_BYTES) await pause(LOOK_MS);
}
