import { setTimeout as pause } from 'node:timers/promises';
import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import type { HttpSession } from '../http-session.ts';
import { fixingIssue, makeBuggyRepo } from '../scratch-repo.ts';

const REPOSITORIES = 5; // as many as one may register in an hour
const MAX_JOBS = 10; // as many issues as one may create in an hour
const MIN_JOB_INTERVAL_MS = 20_000;
const JOB_LIMIT_MS = 600_000; // tells of a hang
const READ_EVERY_MS = 100;

export interface OrdinaryUse {
  readonly jobs: { readonly begun: number; readonly seconds: readonly number[] };
  /** Main jobs that did not end well, and requests that were refused. */
  readonly failures: readonly string[];
  /** Milliseconds of each request: of the server under attack, and of the idle one right after it. */
  readonly attackedMs: readonly number[];
  readonly idleMs: readonly number[];
}

/** Does the main job again and again and reads in between, the same on both servers, until the time is over. */
export async function useOrdinarily(
  people: { readonly attacked: HttpSession; readonly idle: HttpSession },
  { milliseconds, onRead }: { readonly milliseconds: number; readonly onRead: (ms: number) => void },
): Promise<OrdinaryUse> {
  const over = performance.now() + milliseconds;
  const use = { attackedMs: [] as number[], idleMs: [] as number[] };
  const seconds: number[] = [];
  const failures: string[] = [];
  let begun = 0;
  const issues = { attacked: '', idle: '' };

  const work = async () => {
    const apart = Math.max(MIN_JOB_INTERVAL_MS, milliseconds / MAX_JOBS);
    const repos = { attacked: [] as string[], idle: [] as string[] };
    while (performance.now() < over && begun < MAX_JOBS) {
      const next = performance.now() + apart;
      begun += 1;
      const doAt = async (where: 'attacked' | 'idle') => {
        issues[where] = await within(JOB_LIMIT_MS, doMainJob(people[where], repos[where]));
      };
      const began = performance.now();
      const atIdle = doAt('idle').catch((error: unknown) => failures.push(`on the idle server: ${error}`));
      try {
        await doAt('attacked');
        seconds.push((performance.now() - began) / 1_000);
      } catch (error) {
        failures.push(String(error));
      }
      await atIdle;
      await pause(Math.max(0, Math.min(next, over) - performance.now()));
    }
  };
  const read = async () => {
    for (let count = 0; performance.now() < over; count += 1) {
      try {
        const ms = await timeRead(people.attacked, pathOf(count, issues.attacked));
        use.attackedMs.push(ms);
        onRead(ms);
        use.idleMs.push(await timeRead(people.idle, pathOf(count, issues.idle)));
      } catch (error) {
        failures.push(String(error));
      }
      await pause(READ_EVERY_MS);
    }
  };
  await Promise.all([work(), read()]);
  return { jobs: { begun, seconds }, failures, ...use };
}

/** From the registration of a repository to a tested branch, followed on its stream. @returns the issue's id */
async function doMainJob(person: HttpSession, repos: string[]): Promise<string> {
  if (repos.length < REPOSITORIES) {
    const added = await person.call<RepoWire>('POST', '/api/repos', { url: makeBuggyRepo().path });
    if (added.status !== 201) throw new Error(`The repository was answered with ${added.status}.`);
    repos.push(added.body.id);
  }
  const repo_id = repos.shift() ?? '';
  repos.push(repo_id);
  const created = await person.call<IssueWire>('POST', '/api/issues', { repo_id, ...fixingIssue });
  if (created.status !== 201) throw new Error(`The issue was answered with ${created.status}.`);
  const { id } = created.body;
  const { plan } = await person.reaches(id, 'awaiting_approval');
  const approval = { action: 'approve', revision: plan?.revision };
  const approved = await person.call('POST', `/api/issues/${id}/approve`, approval);
  // Sent again after its connection broke, it may find that the first one was taken.
  if (approved.status !== 200 && approved.status !== 409)
    throw new Error(`The approval was answered with ${approved.status}.`);
  const { result } = await person.reaches(id, 'completed');
  if (result?.tests?.verdict !== 'green') throw new Error('The tests of the result are not green.');
  const diff = await person.call('GET', `/api/issues/${id}/diff`);
  if (diff.status !== 200) throw new Error(`The diff was answered with ${diff.status}.`);
  return id;
}

function pathOf(count: number, issue: string): string {
  const paths = ['/api/auth/me', '/api/repos', '/api/issues'];
  if (issue !== '') paths.push(`/api/issues/${issue}`, `/api/issues/${issue}/history`);
  return paths[count % paths.length] ?? '';
}

async function timeRead(person: HttpSession, path: string): Promise<number> {
  const began = performance.now();
  const { status } = await person.call('GET', path);
  if (status !== 200) throw new Error(`GET ${path} was answered with ${status}.`);
  return performance.now() - began;
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = pause(milliseconds, null, { ref: false }).then(() => {
    throw new Error(`The main job did not end within ${milliseconds / 60_000} minutes.`);
  });
  return await Promise.race([work, late]);
}
