import { type Connection, type Decision, decideIssue, type SluiceClient, watchIssue } from '@sluice/client';
import { type Gate, type IssueWire, isOpenForDecision } from '@sluice/core';
import { renderDiff } from '../render/render-diff.ts';
import { renderGate } from '../render/render-gate.ts';
import { renderPlan } from '../render/render-plan.ts';
import { renderProgress } from '../render/render-progress.ts';
import { renderResult } from '../render/render-result.ts';
import { appErrorCode, serverRefusal } from '../session/server-refusal.ts';
import { CommandError, type ExitCode, exitCode, exitCodeByStatus } from '../terminal/exit-code.ts';
import type { Output } from '../terminal/output.ts';
import { plainText } from '../terminal/plain-text.ts';
import { askDecision } from './ask-decision.ts';
import { patientRead } from './patient-read.ts';

export interface WorkOptions {
  readonly issueId: string;
  /** Approve the plan without asking. What is to be published with somebody's secrets is asked for all the same. */
  readonly yes: boolean;
  /** Whether a person is there to be asked. */
  readonly canAsk: boolean;
  /** Whether to wait for a decision that is made elsewhere; if not, and nobody can be asked, the command ends at the gate. */
  readonly wait: boolean;
  /** What to say when it ends there: how the person comes back to decide. */
  readonly howToDecide: (gate: Gate['kind']) => string;
  /** With `--json`: print every event instead of the issue at its end. */
  readonly eachEvent?: boolean | undefined;
  /** The last event that was seen already. */
  readonly after?: number | undefined;
  readonly signal: AbortSignal;
}

export interface WorkedOn {
  /** By the issue's last status, or `waitsForApproval` when nobody could be asked. */
  readonly code: ExitCode;
  /** The branch that was published. */
  readonly branch: string | null;
}

/** Shows an issue's way through the pipeline as it happens, asks at the gate, and prints how it ended. */
export async function workOnIssue(client: SluiceClient, output: Output, options: WorkOptions): Promise<WorkedOn> {
  const { issueId, signal, after } = options;
  const onConnection = connectionTeller(output);
  for await (const event of watchIssue(client, issueId, { signal, after, onConnection })) {
    if (options.eachEvent === true) output.data(event, () => '');
    else {
      const line = renderProgress(event, output.talkStyle);
      if (line !== null) output.talk(line);
    }
    if (event.type === 'issue.status' && isOpenForDecision(event.data.to)) {
      const waits = await passGate(client, output, options);
      if (waits) return { code: exitCode.waitsForApproval, branch: null };
    }
  }
  const issue = await patientRead(() => client.issues.get.query({ id: issueId }, { signal }), signal);
  if (options.eachEvent !== true) await printEnd(client, output, { issue, signal });
  const code = exitCodeByStatus[issue.status];
  if (code === null)
    throw new CommandError(exitCode.unexpected, `The stream ended while the issue is ${issue.status}.`);
  return { code, branch: issue.result?.branch ?? null };
}

/** Says once that the connection is lost, and once that it is there again. */
function connectionTeller(output: Output): (state: Connection) => void {
  let lost = false;
  return (state) => {
    if (state === 'lost' && !lost) output.talk(output.talkStyle('yellow', '! The connection is lost; trying again.'));
    if (state === 'open' && lost) output.talk(output.talkStyle('green', '✓ The connection is there again.'));
    if (state !== 'connecting') lost = state === 'lost';
  };
}

/** Decides the open plan; true when it stays undecided. A gate that was passed before this event was read is skipped. */
async function passGate(client: SluiceClient, output: Output, options: WorkOptions): Promise<boolean> {
  const { issueId, signal } = options;
  const issue = await patientRead(() => client.issues.get.query({ id: issueId }, { signal }), signal);
  if (issue.plan === null || issue.gate === null) return false;
  const { talkStyle, talkWidth } = output;
  const { wait, canAsk } = options;
  if (options.eachEvent === true) return !wait;
  const isPlan = issue.gate.kind === 'plan';
  const yes = options.yes && isPlan;
  output.talk(isPlan ? `\n${renderPlan(issue.plan, talkStyle, talkWidth)}\n` : '');
  output.talk(`${renderGate(issue.gate, talkStyle, talkWidth)}\n`);
  if (!yes && !canAsk) {
    output.talk(`The ${isPlan ? 'plan' : 'change'} waits for a decision. ${options.howToDecide(issue.gate.kind)}`);
    return !wait;
  }
  await decide(client, output, { yes, seen: { ...issue, gate: issue.gate }, signal });
  return false;
}

const ON_THE_NEW_BASE = { action: 'instruct', guidance: 'Plan it anew on the base as it is now.' } as const;

/**
 * Sends the decision on what was shown. Where the base has moved under a plan, a person is asked again; who approves
 * without asking wants the plan that fits, whichever that is.
 */
async function decide(
  client: SluiceClient,
  output: Output,
  options: { readonly yes: boolean; readonly seen: IssueWire & { readonly gate: Gate }; readonly signal: AbortSignal },
): Promise<void> {
  const { yes, seen, signal } = options;
  const send = (decision: Decision) => decideIssue(client, seen, { ...decision, signal });
  for (;;) {
    try {
      await send(yes ? { action: 'approve' } : await askDecision(seen.gate, signal));
      if (yes) output.talk(`${output.talkStyle('green', '✓')} approved (--yes)`);
      return;
    } catch (error) {
      if (appErrorCode(error) !== 'plan_stale') throw error;
      output.talk(`${output.talkStyle('yellow', '!')} ${plainText(serverRefusal(error)?.message ?? '')}`);
      if (!yes) continue;
      await send(ON_THE_NEW_BASE);
      output.talk(`${output.talkStyle('green', '✓')} planned anew on the base as it is now (--yes)`);
      return;
    }
  }
}

async function printEnd(
  client: SluiceClient,
  output: Output,
  end: { issue: IssueWire; signal: AbortSignal },
): Promise<void> {
  const { issue, signal } = end;
  const change = await patientRead(() => client.issues.diff.query({ id: issue.id }, { signal }), signal);
  if (change.diff !== '') output.talk(`\n${renderDiff(change.diff, output.talkStyle)}`);
  output.talk('');
  output.data(issue, (style) => renderResult(issue, style));
}
