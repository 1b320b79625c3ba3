import {
  type Connection,
  type Decision,
  decideIssue,
  isSluiceError,
  type SluiceClient,
  watchIssue,
} from '@sluice/client';
import { retry } from '@sluice/core/async';
import { type GateWire, type IssueWire, isOpenForDecision } from '@sluice/core/issue';
import { type Gate, MODEL_NEEDED, NOTHING_TO_DO, type Plan } from '@sluice/core/pipeline';
import { renderMissing, whyNotToApprove } from '../render/render-approvals.ts';
import { renderDiff } from '../render/render-diff.ts';
import { blockerOf, renderGate } from '../render/render-gate.ts';
import { renderPlan } from '../render/render-plan.ts';
import { renderResult } from '../render/render-result.ts';
import { wrapAdvice } from '../render/wrap-advice.ts';
import { appErrorCode, serverRefusal } from '../session/server-refusal.ts';
import { CommandError, type ExitCode, exitCode, exitCodeByStatus } from '../terminal/exit-code.ts';
import { modelMissingHere, modelMissingThere } from '../terminal/model-missing.ts';
import type { Output } from '../terminal/output.ts';
import { plainText } from '../terminal/plain-text.ts';
import { askUnlessDecided, DECIDED_ELSEWHERE } from './ask-unless-decided.ts';
import { followProgress } from './follow-progress.ts';

export interface FollowOptions {
  readonly issueId: string;
  /** Approve the plan without asking. The publish gate is still asked for. */
  readonly yes: boolean;
  /** Whether the user can be asked for a decision. */
  readonly canAsk: boolean;
  /** Whether to wait for a decision made elsewhere. If not, and the user cannot be asked, following ends at the gate. */
  readonly wait: boolean;
  /** Tells the user how to decide later. */
  readonly howToDecide: (gate: Gate) => string;
  /** With `--json`: print every event instead of the issue at its end. */
  readonly eachEvent?: boolean | undefined;
  /** Whether a model is configured that writes code, for an issue in this process; null where the server alone knows. */
  readonly hasModel?: boolean | null;
  /** Print the whole output of every command, as it is written. */
  readonly verbose?: boolean | undefined;
  /** The sequence number of the last event that is already known. */
  readonly after?: number | undefined;
  readonly signal: AbortSignal;
}

export interface FollowedIssue {
  /** By the issue's final status, or `waitsForApproval` when following ended at a gate. */
  readonly code: ExitCode;
  /** The published branch. */
  readonly branch: string | null;
  /** The reason of the failure. */
  readonly error: IssueWire['error'];
}

/** Prints the progress of an issue, asks for a decision at each gate, and prints the result. */
export async function followIssue(
  client: SluiceClient,
  output: Output,
  options: FollowOptions,
): Promise<FollowedIssue> {
  const { issueId, signal, after } = options;
  {
    using progress = followProgress(output, { ...options, isSilent: options.eachEvent === true });
    const onConnection = connectionReporter(output);
    for await (const event of watchIssue(client, issueId, { signal, after, onConnection })) {
      if (options.eachEvent === true) output.data(event, () => '');
      progress.show(event);
      if (event.type === 'issue.status' && isOpenForDecision(event.data.to)) {
        const isUndecided = await progress.pauseFor(() => passGate(client, output, options));
        if (isUndecided) return { code: exitCode.waitsForApproval, branch: null, error: null };
      }
    }
  }
  const issue = await readWithRetry(() => client.issues.get.query({ id: issueId }, { signal }), signal);
  if (options.eachEvent !== true) await printResult(client, output, { issue, signal });
  const code = issue.error?.detail === MODEL_NEEDED ? exitCode.modelMissing : exitCodeByStatus[issue.status];
  if (code === null)
    throw new CommandError(exitCode.unexpected, `The event stream ended while the issue is ${issue.status}.`);
  return { code, branch: issue.result?.branch ?? null, error: issue.error };
}

const IN_A_NEW_ISSUE = 'If something is to be done after all, describe it in a new issue.';

/**
 * What to do after a failure. What stopped `prepare` stops it again until a person has changed something, and a planner that
 * found nothing to do finds it again.
 */
export function retryAdvice({ error }: Pick<FollowedIssue, 'error'>, command: string): string {
  if (error?.detail.startsWith(NOTHING_TO_DO) === true) return `\n${IN_A_NEW_ISSUE}`;
  return `\n${error?.stage === 'prepare' ? 'When that is corrected, retry' : 'Retry'} with:  ${command}`;
}

/** Reports once that the connection was lost, and once that it was restored. */
function connectionReporter(output: Output): (state: Connection) => void {
  let isLost = false;
  return (state) => {
    if (state === 'lost' && !isLost) output.message(output.messageStyle('yellow', '! Connection lost; reconnecting.'));
    if (state === 'open' && isLost) output.message(output.messageStyle('green', '✓ Connection restored.'));
    if (state !== 'connecting') isLost = state === 'lost';
  };
}

/** Decides at the open gate. @returns true when it stays undecided; a gate that was passed in the meantime is skipped */
async function passGate(client: SluiceClient, output: Output, options: FollowOptions): Promise<boolean> {
  const { issueId, signal } = options;
  const issue = await readWithRetry(() => client.issues.get.query({ id: issueId }, { signal }), signal);
  // The event may be of an earlier gate, and the next plan already stored: its own event follows when its gate opens.
  if (issue.plan === null || issue.gate === null || !isOpenForDecision(issue.status)) return false;
  const { messageStyle, messageWidth } = output;
  const { wait, canAsk } = options;
  if (options.eachEvent === true) return !wait;
  const isPlan = issue.gate.kind === 'plan';
  const others = whyNotToApprove(issue.gate);
  const yes = options.yes && isPlan && others === null;
  output.message(isPlan ? `\n${renderPlan(issue.plan, messageStyle, messageWidth)}\n` : '');
  const seen = { ...issue, gate: withoutRisks(issue.gate, issue.plan) };
  output.message(`${renderGate(seen, { style: messageStyle, width: messageWidth, now: new Date() })}\n`);
  const blocker = blockerOf(seen.gate);
  if (blocker !== null && options.hasModel === true) output.message(`${HAS_MODEL}\n`);
  else if (blocker !== null && (yes || (blocker === MODEL_NEEDED && !(canAsk || wait))))
    throw blockedError(blocker, options);
  if (yes && blocker !== null) {
    await replan(client, output, { seen, why: 'by the model that is configured now', signal });
    return false;
  }
  const decided = yes || canAsk ? await decide(client, output, { yes, seen, signal }) : 'later';
  if (decided === 'decided') return false;
  if (decided === 'approved') return !wait;
  const waits = `The ${isPlan ? 'plan' : 'change'} is waiting for a decision. ${options.howToDecide(seen.gate)}`;
  output.message(wrapAdvice(waits, messageWidth));
  const isLeft = canAsk || !wait;
  if (isLeft && output.json) output.data(issue, () => '');
  return isLeft;
}

/** The gate without the reasons that were just shown as risks of the plan. */
function withoutRisks(gate: GateWire, { risks }: Pick<Plan, 'risks'>): GateWire {
  return { ...gate, reasons: gate.reasons.filter((reason) => !risks.includes(reason)) };
}

const HAS_MODEL = 'This plan was made without a model. One is configured now: instruct it to make a new plan.';

/** The error for a plan that cannot be carried out. It stays at its gate, where it can be changed or rejected. */
function blockedError(blocker: string, { hasModel = null }: Pick<FollowOptions, 'hasModel'>): CommandError {
  if (blocker === MODEL_NEEDED) return hasModel === null ? modelMissingThere() : modelMissingHere();
  return new CommandError(exitCode.waitsForApproval, `The plan was not approved. ${plainText(blocker)}`);
}

const REPLAN = { action: 'instruct', guidance: 'Make a new plan on the current base.' } as const;

async function replan(
  client: SluiceClient,
  output: Output,
  options: { readonly seen: IssueWire; readonly why: string; readonly signal: AbortSignal },
): Promise<void> {
  await decideIssue(client, options.seen, { ...REPLAN, signal: options.signal });
  output.message(`${output.messageStyle('green', '✓')} requested a new plan ${options.why} (--yes)`);
}

/**
 * Sends the decision on what was shown. If the base has moved under the plan, the user is asked again; with `yes`, a new
 * plan is requested on the current base.
 *
 * @returns `approved` when somebody else has to approve too
 */
async function decide(
  client: SluiceClient,
  output: Output,
  options: {
    readonly yes: boolean;
    readonly seen: IssueWire & { readonly gate: GateWire };
    readonly signal: AbortSignal;
  },
): Promise<'decided' | 'approved' | 'later'> {
  const { yes, seen, signal } = options;
  const send = (decision: Decision) => decideIssue(client, seen, { ...decision, signal });
  for (;;) {
    try {
      const decision = yes ? ({ action: 'approve' } as const) : await askUnlessDecided(client, seen, signal);
      if (decision === null) return 'later';
      if (decision === DECIDED_ELSEWHERE) {
        output.message('Decided elsewhere.');
        return 'decided';
      }
      const { gate } = await send(decision);
      if (yes) output.message(`${output.messageStyle('green', '✓')} approved (--yes)`);
      if (gate === null || decision.action !== 'approve') return 'decided';
      output.message(renderMissing(gate));
      return 'approved';
    } catch (error) {
      if (appErrorCode(error) !== 'plan_stale') throw error;
      output.message(`${output.messageStyle('yellow', '!')} ${plainText(serverRefusal(error)?.message ?? '')}`);
      if (!yes) continue;
      await replan(client, output, { seen, why: 'on the current base', signal });
      return 'decided';
    }
  }
}

async function printResult(
  client: SluiceClient,
  output: Output,
  end: { issue: IssueWire; signal: AbortSignal },
): Promise<void> {
  const { issue, signal } = end;
  const change = await readWithRetry(() => client.issues.diff.query({ id: issue.id }, { signal }), signal);
  if (change.diff !== '') output.message(`\n${renderDiff(change.diff, output.messageStyle)}`);
  output.message('');
  output.data(issue, (style, { width }) => renderResult(withShortReason(issue), style, width));
}

const UNAVAILABLE: ReadonlySet<string> = new Set(['unreachable', 'not_ready', 'shutting_down']);

/** Retries a read until the server is available, as the event stream does. For reads only: a write may have succeeded. */
function readWithRetry<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const isRetryable = (error: unknown) => isSluiceError(error) && UNAVAILABLE.has(error.code);
  return retry({ backoff: { firstMs: 1_000, longestMs: 1_000 }, isRetryable, signal }, read);
}

/** The progress above has shown the whole reason, with the output of the command. */
function withShortReason(issue: IssueWire): IssueWire {
  if (issue.error === null) return issue;
  const [detail = ''] = issue.error.detail.split('\n');
  return { ...issue, error: { ...issue.error, detail } };
}
