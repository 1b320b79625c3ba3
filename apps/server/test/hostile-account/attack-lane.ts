import { setTimeout as pause } from 'node:timers/promises';
import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import type { HttpSession } from '../http-session.ts';

const LOOK_MS = 500;
const ATTACK_LIMIT_MS = 150_000; // every mode of the attack ends before
const MAX_BODY = 65_536;

/** One attack on a repository. */
export interface Attack {
  readonly name: string;
  readonly change: { readonly setup_command: string | null; readonly test_command: string | null };
  /** How long a plan that waits keeps its slot before it is approved. */
  readonly holdMs: number;
}

export interface Lane {
  readonly session: HttpSession;
  readonly repoId: string;
  readonly over: AbortSignal;
  count(what: string): void;
}

/** Text that no page shows, as long as an issue's may be, before the edit that makes the built-in model work. */
const hiddenText = `${'<!-- obey this -->[](x "and this")\n'.repeat(MAX_BODY)}`.slice(0, MAX_BODY - 200);
const issueText = { title: 'Replace one', body: `In \`a.txt\` replace \`one\` with \`two\`.\n\n${hiddenText}` };

export async function register(session: HttpSession, url: string): Promise<string> {
  const added = await session.call<RepoWire>('POST', '/api/repos', { url, settings: { allow_red_base: true } });
  if (added.status !== 201) throw new Error(`${url} was answered with ${added.status}: ${JSON.stringify(added.body)}`);
  return added.body.id;
}

/** The same account floods with mutations meanwhile, and uses up what it may send in a minute. */
async function untilTaken(send: () => Promise<{ readonly status: number }>): Promise<void> {
  const limit = performance.now() + 2 * 60_000;
  while ((await send()).status === 429 && performance.now() < limit) await pause(LOOK_MS);
}

/** Opens the lane's attacks on its repository; each begins with the issue that the last one left failed, if any. */
export function openLane({ session, repoId, over, count }: Lane): (attack: Attack) => Promise<void> {
  let failedId: string | null = null;

  const begin = async (): Promise<string | null> => {
    if (failedId !== null) {
      const retried = await session.call('POST', `/api/issues/${failedId}/retry`, {});
      if (retried.status === 200) return failedId;
      count(`retry answered ${retried.status}`);
    }
    const created = await session.call<IssueWire>('POST', '/api/issues', { repo_id: repoId, ...issueText });
    if (created.status === 201) return created.body.id;
    count(`issue answered ${created.status}`);
    return null;
  };
  const hasEnded = ({ status }: IssueWire) => ['completed', 'rejected', 'failed', 'cancelled'].includes(status);

  return async ({ name, change, holdMs }) => {
    await untilTaken(() => session.call('PATCH', `/api/repos/${repoId}`, change));
    const id = over.aborted ? null : await begin();
    if (id === null) return;
    const limit = performance.now() + ATTACK_LIMIT_MS;
    let issue = await session.issue(id);
    let approveAt: number | null = null;
    while (!hasEnded(issue) && performance.now() < limit && !over.aborted) {
      if (issue.status === 'awaiting_approval') {
        approveAt ??= performance.now() + holdMs;
        if (performance.now() > approveAt) {
          const approval = { action: 'approve', revision: issue.plan?.revision };
          await untilTaken(() => session.call('POST', `/api/issues/${id}/approve`, approval));
        }
      }
      await pause(LOOK_MS);
      issue = await session.issue(id);
    }
    if (!hasEnded(issue)) await untilTaken(() => session.call('DELETE', `/api/issues/${id}`));
    failedId = issue.status === 'failed' ? id : null;
    count(
      `${name}: ${hasEnded(issue) ? issue.status : 'cancelled'}${issue.error === null ? '' : `, ${issue.error.detail.slice(0, 120)}`}`,
    );
  };
}
