import { setTimeout as pause } from 'node:timers/promises';
import type { IssueWire } from '@sluice/core/issue';
import type { SmallDisk } from '@sluice/testing';
import { type HttpSession, signUp } from '../http-session.ts';
import { makeScratchRepo } from '../scratch-repo.ts';
import { register } from './attack-lane.ts';
import type { SoakedServer } from './soaked-server.ts';

const ATTACK_LIMIT_MS = 120_000; // a stage that the kills have cut off is tried again within half a minute
const FILLED_BYTES = 64 * 2 ** 20; // so much less is free: the attack is at work
const LOOK_MS = 20;
const LOOKS_PER_ISSUE = 50;

/**
 * Kills the server again and again while a command fills its disk, and starts it over what is left.
 *
 * @param script what the command runs
 * @returns the milliseconds of each start
 * @throws Error when it does not start, or when its disk is not being filled
 */
export async function restartUnderAttack(
  { server, disk }: { server: SoakedServer; disk: SmallDisk },
  script: string,
  times: number,
): Promise<readonly number[]> {
  const repo = makeScratchRepo({ 'a.txt': 'one\n', 'attack.py': script }, 'restarts');
  let person = (await signUp(server.url, 'restarts@example.com')).repeating();
  const repo_id = await register(person, repo.path);
  const change = { setup_command: 'python3 attack.py fallocate; python3 attack.py inodes', test_command: 'true' };
  await person.call('PATCH', `/api/repos/${repo_id}`, change);
  const text = { title: 'Replace one', body: 'In `a.txt` replace `one` with `two`.' };
  const created = await person.call<IssueWire>('POST', '/api/issues', { repo_id, ...text });
  if (created.status !== 201) throw new Error(`The issue was answered with ${created.status}.`);
  const starts: number[] = [];
  for (let time = 0; time < times; time += 1) {
    await untilFilling(disk, () => goOn(person, created.body.id));
    await server.kill();
    starts.push(await server.start());
    person = person.at(server.url);
  }
  return starts;
}

/** A restart takes the issue up again by itself, until its attempts are used up. */
async function goOn(person: HttpSession, id: string): Promise<void> {
  const issue = await person.call<IssueWire>('GET', `/api/issues/${id}`);
  // While the disk is full a write may be refused: the next look tries again.
  if (issue.status === 200 && issue.body.status === 'failed') await person.call('POST', `/api/issues/${id}/retry`, {});
}

/** @throws Error when it takes too long: a restart would prove nothing */
async function untilFilling(disk: SmallDisk, goOn: () => Promise<void>): Promise<void> {
  const limit = performance.now() + ATTACK_LIMIT_MS;
  let most = disk.free();
  for (let look = 0; most - disk.free() < FILLED_BYTES; look += 1) {
    if (performance.now() > limit) throw new Error('The command did not fill the disk.');
    if (look % LOOKS_PER_ISSUE === 0) await goOn();
    await pause(LOOK_MS);
    most = Math.max(most, disk.free());
  }
}
