import * as z from 'zod';
import type { Finding } from '../change/finding.ts';
import { errorCatalog } from '../error/error-catalog.ts';
import type { IssueId } from '../id/id.ts';
import type { Budget } from './budget.ts';
import type { FollowUpCause } from './follow-up-cause.ts';
import type { RemarkAnswer } from './review-remark.ts';
import type { Stage } from './stages.ts';
import type { TestReport, TestRun } from './test-report.ts';

/** What the triager found out. */
export const triageSchema = z.object({
  kind: z.enum(['bug', 'feature', 'refactoring', 'docs', 'chore', 'question']),
  summary: z.string(),
  acceptance_criteria: z.array(z.string()),
  risk: z.enum(['low', 'medium', 'high']),
  open_questions: z.array(z.string()),
});
export type Triage = z.infer<typeof triageSchema>;

/** The reviewer's verdict. `request_changes` sends the pipeline back to `implement`. */
export const reviewSchema = z.object({
  decision: z.enum(['approve', 'request_changes']),
  summary: z.string(),
  findings: z.array(z.string()),
});
export type Review = z.infer<typeof reviewSchema>;

/** A file that was changed although the plan does not name it; `reason` is the coder's, null when it gave none. */
export const outsidePlanSchema = z.object({ path: z.string(), reason: z.string().nullable() });
export type OutsidePlan = z.infer<typeof outsidePlanSchema>;

/** A command of the coder's and what came of it as the service saw it: `exit code 0`, or `claimed, not run`. */
export const ranCommandSchema = z.object({ command: z.string(), result: z.string() });
export type RanCommand = z.infer<typeof ranCommandSchema>;

/** Whether a command is the one in the repository's settings, or was detected by the repository's files. */
export const commandSources = ['settings', 'detected'] as const;
export type CommandSource = (typeof commandSources)[number];

/** The settings of a repository by which `prepare` chose its commands: null = not set, an empty command = none. */
export interface CommandSettings {
  readonly setup_command: string | null;
  readonly test_command: string | null;
  readonly setup_network: boolean;
}

/** The result of `prepare`. Every later stage works on this commit, on any day and any host. */
export interface Prepared {
  readonly base_commit: string;
  /** The working tree in which all work so far was done: its `treeId`. */
  readonly tree: string;
  readonly setup_command: string | null;
  readonly test_command: string | null;
  /** Null where there is no command, and where a release that did not record it prepared the issue. */
  readonly setup_source: CommandSource | null;
  readonly test_source: CommandSource | null;
  /** Null where a release that did not record it prepared the issue. */
  readonly prepared_with: CommandSettings | null;
  /** The tests at the base commit; null until they ran. */
  readonly base_test: TestRun | null;
  /**
   * The environment measured for the agents, without the result of the base's tests; null where nothing was measured.
   */
  readonly environment?: string | null;
}

/** The state that one plan leaves to the next. */
interface Planning {
  /** Guidance of the last `instruct`. */
  readonly guidance: string | null;
  /** Files in which the base branch moved since the last plan; null when it did not move. */
  readonly base_moved: readonly string[] | null;
  /** Places that the planner was shown first, by which retrieval is judged; null until a plan was made. */
  readonly retrieved: readonly string[] | null;
}

/** The subject of an approval. Approvals of older versions do not name the hash and the commit. */
interface Approved {
  readonly revision: number;
  readonly plan_hash: string | null;
  readonly base_commit: string | null;
  /** The first issue of the pull request, where the approval of its plan counts for this follow-up. */
  readonly inherited_from?: IssueId;
}

/** The rounds of the loop implement → test → review, and what bounds them. */
export interface Rounds {
  /** The round of `implement`: 0 until the first one ended, then 1 and up. */
  readonly implement: number;
  /** How often failing tests, and a review, sent the pipeline back to the coder. A retry starts both again. */
  readonly test_send_backs: number;
  readonly review_send_backs: number;
  /** Rounds of a stage before the last retry, where nothing else counts them. */
  readonly past: Readonly<Partial<Record<Stage, number>>>;
  /** A retry continues the failed round: something other than the agent's work ended it. */
  readonly resumable: boolean;
}

/** A round that ended without its result, and what the next round of the same stage takes over from it. */
export interface EndedRound {
  readonly stage: Stage;
  readonly round: number;
  /** The reason of its end, for the agent of the next round. */
  readonly reason: string;
  /** `conversation`: the agent goes on where it was, in the same tree. `tree`: only its changes stay. `nothing`: they are lost. */
  readonly keeps: 'conversation' | 'tree' | 'nothing';
}

/** The result of the last round of `implement`. The next round starts from its commit. */
export interface Implementation {
  readonly summary: string;
  readonly head_commit: string;
  readonly outside_plan: readonly OutsidePlan[];
  /** The checks that the coder ran; null where an older release recorded nothing. */
  readonly ran: readonly RanCommand[] | null;
  /** Display names of the models that worked on it, in all rounds so far. */
  readonly made_by: readonly string[];
  /** The revision of the agents' prompts in its last round; absent or null: an older release recorded none. */
  readonly prompt_revision?: string | null;
  /** The results of `test` and `review` for this very commit; null until they ended. */
  readonly tests: TestReport | null;
  readonly review: Review | null;
  /** The findings from comparing this commit with the base. Empty until `review` began. */
  readonly findings: readonly Finding[];
}

/** The facts about the tests for all rounds. */
interface Testing {
  /** Tests that failed at the base and that a review names as what is to be fixed. */
  readonly must_pass: readonly string[];
  /** The coder was asked once for a test that fails without the change. */
  readonly reproduction_asked: boolean;
}

/** How far publishing has come. A step that is not recorded may have happened: check before repeating it. */
export interface Publication {
  /** The commit to publish. Written before the branch is pushed. */
  readonly head_commit: string;
  /** The files for which an approver is asked. */
  readonly asked: readonly string[];
  /** The commit that an approver released although these files run with the code host's secrets. */
  readonly confirmed: { readonly head_commit: string; readonly files: readonly string[] } | null;
  readonly change_request: { readonly number: number; readonly url: string } | null;
}

export interface BudgetState {
  /** The issue's own budget; null: the server's. */
  readonly limit: Budget | null;
  /** The issue's log has the warning that the budget is nearly used up. */
  readonly warned: boolean;
  /** The issue's log has the warning that a limit on money cannot be enforced, because a price is unknown. */
  readonly cost_unknown: boolean;
}

/**
 * Everything a pipeline has found so far, grouped by the stage that found it: null until that stage ended. It is written
 * in one act with the end of the stage, so any process can continue from it.
 */
export interface PipelineState {
  /** The branch with the change: named by `prepare`, or given when a follow-up continues an existing one. */
  readonly branch: string | null;
  /** Why a follow-up exists; null for other issues, and for follow-ups of before this was recorded. */
  readonly follow_up: FollowUpCause | null;
  /** Warnings about the issue's text for the approver, e.g. text that is invisible to them. */
  readonly warnings: readonly string[];
  readonly budget: BudgetState;
  readonly prepared: Prepared | null;
  /** The stage at which the pipeline continues when a retry has led it back to `prepare`; null otherwise. */
  readonly resume_at: Stage | null;
  readonly triage: Triage | null;
  readonly planning: Planning;
  readonly approved: Approved | null;
  readonly rounds: Rounds;
  /** The last round that ended without its result; null when there was none. Only a retry of that stage looks at it. */
  readonly ended: EndedRound | null;
  /** Why the pipeline was sent back to the coder, who reads it first; null when it was not, or is done with it. */
  readonly feedback: string | null;
  readonly implementation: Implementation | null;
  /** How the last agent answers the remarks that a follow-up is about; empty where there are none, and until it has ended. */
  readonly remark_answers: readonly RemarkAnswer[];
  readonly testing: Testing;
  readonly publication: Publication | null;
  /** ISO time of the last reminder of an unanswered gate. */
  readonly reminded_at: string | null;
}

export const NEW_PIPELINE: PipelineState = {
  branch: null,
  follow_up: null,
  warnings: [],
  budget: { limit: null, warned: false, cost_unknown: false },
  prepared: null,
  resume_at: null,
  triage: null,
  planning: { guidance: null, base_moved: null, retrieved: null },
  approved: null,
  rounds: { implement: 0, test_send_backs: 0, review_send_backs: 0, past: {}, resumable: false },
  ended: null,
  feedback: null,
  implementation: null,
  remark_answers: [],
  testing: { must_pass: [], reproduction_asked: false },
  publication: null,
  reminded_at: null,
};

/** The round before this one, where it ended without its result; null when this one follows a result, or is the first. */
export function endedBefore(
  { ended }: PipelineState,
  { stage, round }: { readonly stage: Stage; readonly round: number },
): EndedRound | null {
  return ended !== null && ended.stage === stage && ended.round === round - 1 ? ended : null;
}

/** The round of `implement` after this one. The first one counts as 1 even before it has ended. */
export function nextImplementRound({ implement }: Rounds): number {
  return Math.max(implement, 1) + 1;
}

/** The state after a round of `implement` whose work was lost: the next one starts with an empty journal. */
export function withoutRound({ rounds }: PipelineState): Pick<PipelineState, 'rounds' | 'ended'> {
  const implement = nextImplementRound(rounds);
  const reason = errorCatalog.workspace_lost.message;
  return {
    rounds: { ...rounds, implement },
    ended: { stage: 'implement', round: implement - 1, reason, keeps: 'nothing' },
  };
}
