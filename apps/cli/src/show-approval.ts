import type { Gate, IssueWire } from '@sluice/core';
import { isAtTerminal } from './at-terminal.ts';
import { ownCommand } from './config.ts';
import { confirmed } from './confirm.ts';
import { CommandError, exitCode } from './exit-code.ts';
import type { Output } from './output.ts';
import { renderGate } from './view/gate-view.ts';
import { renderPlan } from './view/plan-view.ts';
import { shortId } from './view/short-id.ts';

type Waiting = Pick<IssueWire, 'id' | 'plan'> & { readonly gate: Gate };

/**
 * Shows what an approval is for, unless the command names it. A change is published only when the person confirms the
 * commit: a command that is repeated from the shell's history, or meant for the plan, must not publish it unseen.
 *
 * @throws CommandError when the person says no to a commit, or when there is no terminal to ask at
 */
export async function showApproval(
  output: Output,
  { id, plan, gate }: Waiting,
  named: { readonly revision?: number; readonly commit?: string },
): Promise<void> {
  const { talkStyle, talkWidth } = output;
  if (gate.kind === 'plan') {
    if (named.revision !== undefined || plan === null) return;
    output.talk(`${renderPlan(plan, talkStyle, talkWidth)}\n\n${renderGate(gate, talkStyle, talkWidth)}\n`);
    return;
  }
  if (named.commit !== undefined) return;
  output.talk(`${renderGate(gate, talkStyle, talkWidth)}\n`);
  const issue = shortId(id);
  const diff = `${ownCommand()} issues diff ${issue}`;
  if (!isAtTerminal()) {
    throw new CommandError(
      exitCode.waitsForApproval,
      `A change waits to be published, and there is no terminal to confirm it at. Look at it (${diff}), then name its commit: ${ownCommand()} issues approve ${issue} --commit ${gate.head_commit}`,
    );
  }
  output.talk(`See it: ${diff}`);
  await confirmed(`Publish commit ${gate.head_commit}?`, false);
}
