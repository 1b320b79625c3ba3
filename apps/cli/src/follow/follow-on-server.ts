import type { Gate } from '@sluice/core';
import { shortId } from '../render/short-id.ts';
import type { Remote } from '../session/remote.ts';
import { ownCommand } from '../terminal/environment.ts';
import type { ExitCode } from '../terminal/exit-code.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { workOnIssue } from './follow-issue.ts';

/** Watches an issue of a server until it ends. Others decide on it; Ctrl-C leaves it running. */
export async function watchRemotely(
  { client, output }: Remote,
  options: { issueId: string; wait: boolean; after?: number | undefined },
): Promise<ExitCode> {
  const { issueId, wait, after } = options;
  const id = shortId(issueId);
  const command = `${ownCommand()} issues`;
  const howToDecide = (gate: Gate['kind']) =>
    `${gate === 'plan' ? '' : `See it: ${command} diff ${id}. `}${command} approve ${id}  (or reject, or instruct)`;
  return await interruptible(
    async (signal) => {
      // Once it is known to be there, a server that goes away is waited for; before, it is more likely a wrong address.
      await client.issues.get.query({ id: issueId }, { signal });
      const how = { issueId, yes: false, canAsk: false, wait, howToDecide, eachEvent: output.json, after, signal };
      return (await workOnIssue(client, output, how)).code;
    },
    () => output.talk(`\nInterrupted. It goes on; watch it with: ${command} watch ${id}`),
  );
}
