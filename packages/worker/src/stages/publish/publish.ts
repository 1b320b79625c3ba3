import { AppError } from '@sluice/core/error';
import { filesOutside } from '@sluice/core/follow-up';
import type { IssueResult } from '@sluice/core/issue';
import type { Workspace } from '@sluice/core/workspace';
import type { StageContext } from '../../stage/stage-context.ts';
import type { StageEnd } from '../../stage/stage-end.ts';
import { followRepo } from '../../workspace/follow-repo.ts';
import { type CommittedChange, committedChange } from '../../workspace/implementation-commit.ts';
import { renderOutsidePlan } from '../outside-plan.ts';
import { askForPublication } from './ask-for-publication.ts';
import { type ChangeRequestPorts, openChangeRequest, type PublishedAt } from './open-change-request.ts';

type Ports = 'clock' | ChangeRequestPorts;

/**
 * Pushes the commit that was tested and reviewed, and opens a pull request for it at the code host. Each step first checks
 * whether it has already happened, so a step that succeeded before its record was written is not repeated.
 */
export async function publish(stage: StageContext<Ports>): Promise<StageEnd> {
  const change = await committedChange(stage);
  const gate = await askForPublication(stage, change, await filesBeyondApproval(stage, change));
  if (gate !== null) return gate;
  requireCodeHost(stage);
  await followRepo(stage);
  const workspace = await stage.workspace();
  await intend(stage, change.head_commit);
  await workspace.push(change.head_commit, stage.signal, () => stage.confirmLease());
  const at = stage.repo.provider === 'codehost' ? await openChangeRequest(stage, change, workspace.branch) : null;
  const retrieval = await retrievalOf(stage, workspace, change);
  const result = resultOf(stage, change, { branch: workspace.branch, url: at?.changeRequest.url ?? null });
  return {
    trigger: 'published',
    next: 'publish',
    detail: detailOf(result, at),
    notes: [...(at?.notes ?? []), ...(await unreadNotes(stage))],
    result,
    ...(at === null ? {} : { changeRequest: { number: at.changeRequest.number, state: at.changeRequest.state } }),
    retrieval,
    events: [...(at?.events ?? []), { type: 'result.published', data: { result } }],
  };
}

/**
 * The files of a follow-up that the approval which it inherited is not about: nobody has seen them. All of them where the
 * first issue is gone.
 */
async function filesBeyondApproval(
  { deps, execution }: StageContext<Ports>,
  change: CommittedChange,
): Promise<string[]> {
  const from = execution.issue().pipeline.approved?.inherited_from;
  if (from === undefined) return [];
  const paths = change.files.map(({ path }) => path);
  const plan = (await deps.issues.get(from))?.plan ?? null;
  return plan === null ? paths : filesOutside(plan, paths);
}

/** Checked before any part of a change becomes visible outside. */
function requireCodeHost({ deps, repo }: StageContext<Ports>): void {
  if (repo.provider !== 'codehost') return;
  if (deps.codehost === null || deps.codehostTokens === null) throw new AppError('codehost_not_configured');
}

/** Written before the push, so that a branch at the remote can always be traced to its issue. */
async function intend({ execution }: StageContext<Ports>, headCommit: string): Promise<void> {
  const { pipeline } = execution.issue();
  const { publication } = pipeline;
  if (publication?.head_commit === headCommit) return;
  await execution.apply({
    trigger: 'pipeline_updated',
    set: {
      pipeline: {
        ...pipeline,
        publication: {
          head_commit: headCommit,
          asked: [],
          confirmed: publication?.confirmed ?? null,
          change_request: publication?.change_request ?? null,
        },
      },
    },
    events: [],
  });
}

function detailOf(result: IssueResult, at: PublishedAt | null): string {
  const branch = `branch ${result.branch}`;
  return at === null ? branch : `${branch}; pull request #${at.changeRequest.number}`;
}

/** People who wrote to an agent after its last turn must learn that no model has read it. */
async function unreadNotes({ deps, execution }: StageContext<Ports>): Promise<string[]> {
  const unread = await deps.runs.notes(execution.issue().id);
  if (unread.length === 0) return [];
  const which = unread.length === 1 ? 'The last note' : `The last ${unread.length} notes`;
  return [`${which} arrived after the last agent had finished: no model has read it.`];
}

async function retrievalOf(
  { execution, signal }: StageContext<Ports>,
  workspace: Workspace,
  change: CommittedChange,
): Promise<RetrievalJudgement | null> {
  const { retrieved } = execution.issue().pipeline.planning;
  if (retrieved === null) return null;
  const atBase = new Set((await workspace.blobs(signal)).map(({ path }) => path));
  return judgeRetrieval({ retrieved, changed: change.files.map(({ path }) => path), atBase });
}

function resultOf(
  stage: StageContext<Ports>,
  change: CommittedChange,
  { branch, url }: { branch: string; url: string | null },
): IssueResult {
  const { pipeline } = stage.execution.issue();
  return {
    branch,
    base_commit: change.base_commit,
    head_commit: change.head_commit,
    change_request_url: url,
    summary: summaryOf(stage),
    files_changed: change.files.length,
    additions: change.files.reduce((sum, file) => sum + file.additions, 0),
    deletions: change.files.reduce((sum, file) => sum + file.deletions, 0),
    tests: pipeline.implementation?.tests ?? null,
    findings: [...(pipeline.implementation?.findings ?? [])],
    answer: null,
  };
}

/**
 * The summary of the work, with what readers of the result must know about how. Markdown, in which a line belongs to
 * the list above it.
 */
function summaryOf(stage: StageContext<Ports>): string {
  const { deps, execution } = stage;
  const { implementation } = execution.issue().pipeline;
  const madeBy = implementation?.made_by ?? [];
  const outside = renderOutsidePlan(implementation?.outside_plan ?? []);
  const paragraphs = [
    implementation?.summary ?? '',
    outside ?? '',
    madeBy.length === 0 ? '' : `Made by: ${madeBy.join(', ')}.`,
  ];
  if (deps.sandbox.kind === 'none') paragraphs.push('Commands ran without a sandbox (SANDBOX=none).');
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}

/** How well the planner's first search matched the files that were changed in the end; both figures are from 0 to 1. */
interface RetrievalJudgement {
  readonly precision: number;
  readonly recall: number;
}

/** Judges a search. Only files that existed at the base count; null when none of them was changed. */
export function judgeRetrieval(found: {
  readonly retrieved: readonly string[];
  readonly changed: readonly string[];
  readonly atBase: ReadonlySet<string>;
}): RetrievalJudgement | null {
  const changed = new Set(found.changed.filter((path) => found.atBase.has(path)));
  if (changed.size === 0) return null;
  const shown = new Set(found.retrieved);
  const both = [...changed].filter((path) => shown.has(path)).length;
  const precision = shown.size === 0 ? 0 : both / shown.size;
  return { precision, recall: both / changed.size };
}
