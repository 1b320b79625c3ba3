import type { Gate, IssueWire } from '@sluice/core';
import { renderGate } from '../render/render-gate.ts';
import { renderPlan } from '../render/render-plan.ts';
import { shortId } from '../render/short-id.ts';
import { isAtTerminal } from '../terminal/at-terminal.ts';
import { confirmed } from '../terminal/confirm.ts';
import { ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import type { Output } from '../terminal/output.ts';

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
