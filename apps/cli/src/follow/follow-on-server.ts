import type { Gate } from '@sluice/core/pipeline';
import { shortId } from '../render/short-id.ts';
import { wrapAdvice } from '../render/wrap-advice.ts';
import type { Remote } from '../session/remote.ts';
import { isAtTerminal } from '../terminal/at-terminal.ts';
import { ownCommand } from '../terminal/environment.ts';
import type { ExitCode } from '../terminal/exit-code.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { followIssue } from './follow-issue.ts';
import { howToDecide } from './how-to-decide.ts';

/**
 * Follows an issue on a server until it ends, and asks for a decision at each gate if there is a terminal to ask at. Ctrl-C
 * leaves the issue running.
 */
export async function followOnServer(
  { client, output }: Remote,
  options: { issueId: string; wait: boolean; ask: boolean; after?: number | undefined; verbose?: true | undefined },
): Promise<ExitCode> {
  const { issueId, wait, after, verbose } = options;
  const canAsk = wait && options.ask && isAtTerminal();
  const id = shortId(issueId);
  const command = `${ownCommand()} issues`;
  return await interruptible(
    async (signal) => {
      // Fails at once when the server is unreachable: the URL is probably wrong. Later on, the stream waits for the server.
      await client.issues.get.query({ id: issueId }, { signal });
      const follow = {
        issueId,
        yes: false,
        canAsk,
        wait,
        howToDecide: (gate: Gate) => howToDecide(command, { issueId }, gate),
        eachEvent: output.json,
        after,
        verbose,
        signal,
      };
      return (await followIssue(client, output, follow)).code;
    },
    () => {
      const text = `\nInterrupted. The issue keeps running. Watch it with: ${command} watch ${id}`;
      output.message(wrapAdvice(text, output.messageWidth));
    },
  );
}
