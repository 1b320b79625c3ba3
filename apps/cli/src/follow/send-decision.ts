import { type Decision, decideIssue, type Issue, type SluiceClient } from '@sluice/client';
import type { GateWire, IssueWire } from '@sluice/core/issue';
import { renderMissing } from '../render/render-approvals.ts';
import { blockerOf, type IssueAtGate, renderGate } from '../render/render-gate.ts';
import { renderPlan } from '../render/render-plan.ts';
import { shortId } from '../render/short-id.ts';
import { isAtTerminal } from '../terminal/at-terminal.ts';
import { confirm } from '../terminal/confirm.ts';
import { sendEdited } from '../terminal/edit-text.ts';
import { ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import type { Output } from '../terminal/output.ts';

/** A decision as a command gives it. Without guidance, the user writes it in their editor. */
export type GivenDecision =
  | { readonly action: 'approve' | 'reject' }
  | {
      readonly action: 'instruct';
      readonly guidance: string | null;
      /** The same command with these words at its end. */
      readonly again: (words: string) => string;
    };

export interface DecisionOptions {
  /** The revision that the user reviewed. */
  readonly revision?: number;
  /** The commit that they reviewed. */
  readonly commit?: string;
  /** Whether the issue is one of a local run. */
  readonly isLocal?: boolean;
  /** Called before the user is asked or shown anything. */
  readonly onFound?: (issue: Issue & { readonly gate: GateWire }) => Promise<void>;
}

/**
 * Sends a decision on an issue at its gate, after showing what is approved, or letting the user write their guidance.
 *
 * @throws CommandError when the issue waits for no decision, or the user declines
 */
export async function sendDecision(
  { client, output, id }: { readonly client: SluiceClient; readonly output: Output; readonly id: string },
  decision: GivenDecision,
  options: DecisionOptions,
): Promise<Issue> {
  const found = await client.issues.get.query({ id });
  const { status, gate } = found;
  if (gate === null) {
    const reason = `The issue is ${status}. A decision is possible only while it is awaiting_approval.`;
    throw new CommandError(exitCode.conflict, reason);
  }
  const pending = { ...found, gate };
  await options.onFound?.(pending);
  if (decision.action === 'approve') await showApproval(output, pending, options);
  const { revision = gate.revision, commit: head_commit = gate.head_commit } = options;
  const send = (made: Decision) => decideIssue(client, { id, status, gate: { ...gate, revision, head_commit } }, made);
  if (decision.action !== 'instruct') {
    const decided = await send(decision);
    if (decided.gate !== null) output.message(renderMissing(decided.gate));
    return decided;
  }
  const { action, guidance: given } = decision;
  if (given !== null) return await send({ action, guidance: given });
  // If only the answer is lost, there may be a next plan when the text is sent again: the guidance is for this one.
  const named = options.revision === undefined ? `--revision ${revision} ` : '';
  const again = (file: string) => decision.again(`${named}- < ${file}`);
  const edit = { hint: 'Describe what to change.', again, message: output.message };
  return await sendEdited(edit, (guidance) => send({ action, guidance }));
}

type WaitingIssue = Pick<IssueWire, 'id' | 'plan'> & IssueAtGate;

/**
 * Shows what is about to be approved, unless the command names its revision or commit. Publishing a change also requires
 * confirming the commit: a command repeated from the shell's history, or meant for the plan, must not publish it unseen.
 *
 * @throws CommandError when the user declines the commit, there is no terminal to ask at, or the plan would end in `failed`
 */
async function showApproval(
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
        `If you approve this plan, the issue will fail, for the reason above. To approve it anyway: ${anyway}`,
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
