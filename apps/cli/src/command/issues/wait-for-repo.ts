import type { IssueWire } from '@sluice/core/issue';
import { shortId } from '../../render/short-id.ts';
import { wrapAdvice } from '../../render/wrap-advice.ts';
import type { Remote } from '../../session/remote.ts';
import { ownCommand } from '../../terminal/environment.ts';

/** The option of commands that queue an issue. */
export const NO_QUEUE = [
  '--no-queue',
  'exit with code 5 while another issue is in progress on the repository',
] as const;

/** Tells the user that an issue waits, and for which one, unless that is another user's. */
export async function reportWait({ client, output }: Remote, issue: IssueWire): Promise<void> {
  if (!issue.waits_for_repo) return;
  const { isTerminal, mayHoldSlot, statusesWhere } = await import('@sluice/core/issue'); // only now: `--help` stays fast
  const { items } = await client.issues.list.query({
    repo_id: issue.repo_id,
    status: statusesWhere((status) => !isTerminal(status)),
    limit: 100,
    fields: 'summary',
  });
  const holder = items.find(({ status, queued_at }) => mayHoldSlot(status) || queued_at !== null);
  const what = holder === undefined ? 'another issue' : `issue ${shortId(holder.id)}`;
  const cancel = `${ownCommand()} issues cancel ${shortId(issue.id)}`;
  const text = `The issue waits for ${what} on this repository. It starts by itself. Give it up with: ${cancel}`;
  output.message(wrapAdvice(text, output.messageWidth));
}
