import type { IssueWire } from '@sluice/core/issue';
import { blockerOf, type IssueAtGate, renderGate } from '../render/render-gate.ts';
import { renderPlan } from '../render/render-plan.ts';
import { shortId } from '../render/short-id.ts';
import { isAtTerminal } from '../terminal/at-terminal.ts';
import { confirm } from '../terminal/confirm.ts';
import { ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import type { Output } from '../terminal/output.ts';

type WaitingIssue = Pick<IssueWire, 'id' | 'plan'> & IssueAtGate;

/**
 * Shows what is about to be approved, unless the command names its revision or commit. Publishing a change also requires
 * confirming the commit: a command repeated from the shell's history, or meant for the plan, must not publish it unseen.
 *
 * @throws CommandError when the user declines the commit, there is no terminal to ask at, or the plan would end in `failed`
 */
export async function showApproval(
  output: Output,
  issue: WaitingIssue,
  named: { readonly revision?: number; readonly commit?: string; readonly isLocal?: boolean },
): Promise<void> {
  const { messageStyle: style, messageWidth: width } = output;
  const { id, plan, gate } = issue;
  const command = named.isLocal === true ? ownCommand() : `${ownCommand()} issues`;
  const shownGate = () => renderGate(issue, { style, width, now: new Date() });
  if (gate.kind === 'plan') {
    if (named.revision !== undefined || plan === null) return;
    output.message(`${renderPlan(plan, style, width)}\n\n${shownGate()}\n`);
    if (blockerOf(gate) !== null) {
      const anyway = `${command} approve ${shortId(id)} --revision ${gate.revision}`;
      throw new CommandError(
        exitCode.waitsForApproval,
        `Approving this plan ends in failed, for the reason above. Anyway: ${anyway}`,
      );
    }
    return;
  }
  if (named.commit !== undefined) return;
  output.message(`${shownGate()}\n`);
  const short = shortId(id);
  const diff = `${command} diff ${short}`;
  if (!isAtTerminal()) {
    throw new CommandError(
      exitCode.waitsForApproval,
      `A change is waiting to be published, and there is no terminal to confirm it at. Review it with "${diff}", then pass its commit: ${command} approve ${short} --commit ${gate.head_commit}`,
    );
  }
  output.message(`Review it with: ${diff}`);
  await confirm(`Publish commit ${gate.head_commit}?`, false);
}
