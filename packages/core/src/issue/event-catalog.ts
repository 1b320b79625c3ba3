import * as z from 'zod';
import { buildNewsSchema } from '../code-host/build-news.ts';
import { changeRequestStates } from '../code-host/change-request.ts';
import { closeReasons } from '../code-host/close-reason.ts';
import { decisionActions, gateSchema } from '../pipeline/gate.ts';
import { planSchema } from '../pipeline/plan.ts';
import { remarkEnds } from '../pipeline/review-remark.ts';
import { stages } from '../pipeline/stages.ts';
import { usageSchema } from '../pipeline/usage.ts';
import { triageWire } from './gate-wire.ts';
import { issueStatuses } from './issue-machine.ts';
import { issueResultSchema } from './issue-result.ts';
import { issueWire } from './issue-wire.ts';

const stage = z.enum(stages).describe('The stage.');
const agent = z.string().describe('The name of the agent, or `service` for Sluice itself.');
const stageRun = {
  stage,
  agent,
  attempt: z.int().min(1).describe('The number of this attempt at the stage, from 1.'),
};
const durationMs = z.int().describe('How long it took, in milliseconds.');
const callId = z.string().describe('Links the call with its result.');
const tool = z.string().describe('The name of the tool.');
const command = z.string().describe('The command line.');
const revision = z.int().describe('The revision of the plan.');

const attachmentIds = z.array(z.uuid()).optional().describe('The attachments that came with the text. Absent: none.');

const blind = z
  .literal(true)
  .optional()
  .describe('The request named neither the revision nor the commit that it decided on.');

/** The subject of a decision, and from where it came. Absent in events of earlier releases. */
const decidedOn = {
  plan_hash: z.string().nullable().optional().describe('SHA-256 of the plan that was decided on.'),
  base_commit: z.string().nullable().optional().describe('The base commit of that plan, or of the change.'),
  head_commit: z.string().nullable().optional().describe('The commit to publish; null at the plan gate.'),
  client: z
    .string()
    .nullable()
    .optional()
    .describe('The client of the session in which it was decided, such as "Firefox on Linux".'),
};

/**
 * Durable events by type. Each is a row with a gapless sequence number per issue, written in the same transaction as the
 * change that it reports. docs/events.md is generated from the descriptions.
 */
export const eventCatalog = {
  'issue.created': z
    .object({ issue: issueWire.describe('The issue when it was created.') })
    .describe(
      'The issue was created by a request, an import, a label at the code host or a follow-up. Always the first event.',
    ),
  'issue.status': z
    .object({
      from: z
        .enum(issueStatuses)
        .describe('The previous status. Equal to `to` when only the stage or the queue position changed.'),
      to: z.enum(issueStatuses).describe('The current status.'),
      stage: stage.nullable().describe('The current stage; null before the first.'),
      queue_position: z
        .int()
        .nullable()
        .describe('Its position in the queue for a slot, from 1; null when it is not queued.'),
      detail: z
        .string()
        .optional()
        .describe(
          'The reason, where the status alone does not show it: an expired gate, a stage that failed, a repository that is waited for or is free, a budget that is used up.',
        ),
      queue_reason: z.literal('budget').optional().describe('Where it waits because a monthly budget is used up.'),
    })
    .describe('The status, the stage or the queue position changed. Always the last event of its transaction.'),
  'stage.started': z.object(stageRun).describe('A worker started an attempt at a stage.'),
  'stage.completed': z
    .object({
      ...stageRun,
      duration_ms: durationMs,
      usage: usageSchema.describe('The model usage of this round of the stage.'),
      detail: z.string().nullable().describe('The outcome in a sentence, or null.'),
    })
    .describe('The stage completed, and its result is stored.'),
  'stage.failed': z
    .object({
      ...stageRun,
      duration_ms: durationMs,
      detail: z.string().describe('The reason, for people.'),
      will_retry: z.boolean().describe('Whether the service retries the stage automatically.'),
      retry: z
        .object({
          at: z.iso.datetime().describe('When the next attempt starts, at the earliest.'),
          failures: z.int().min(1).describe('How often the stage has failed since the pipeline entered it.'),
          max_failures: z.int().min(1).describe('After how many such failures the service gives up.'),
        })
        .optional()
        .describe('The next attempt. Absent when there is none, and in events of releases that did not record it.'),
    })
    .describe('An attempt at a stage failed.'),
  'agent.message': z
    .object({ agent, text: z.string().describe('The message. Long text is shortened in the middle.') })
    .describe('A message from an agent or from the service.'),
  'agent.tool_call': z
    .object({
      agent,
      call_id: callId,
      tool,
      input: z.record(z.string(), z.unknown()).describe('The arguments. Long values are shortened.'),
    })
    .describe('An agent called a tool.'),
  'agent.tool_result': z
    .object({
      agent,
      call_id: callId,
      tool,
      ok: z.boolean().describe('Whether the call succeeded.'),
      summary: z.string().describe('The result, shortened.'),
    })
    .describe('A tool call returned. Its effect and its result are stored in one transaction.'),
  'plan.created': z
    .object({
      plan: planSchema.describe('The complete plan.'),
      triage: triageWire
        .optional()
        .describe('What the triager found, with the questions that the issue leaves open. `instruct` can answer them.'),
    })
    .describe('A new revision of the plan is ready and awaits a decision.'),
  'review.requested': z
    .object({ revision })
    .describe(
      'A person is asked to decide on the plan, or on the publication of a change: one with files that run with secrets, or with weakened or flaky tests.',
    ),
  'gate.reminder': z
    .object({
      kind: gateSchema.shape.kind.describe('The gate: the plan, or the publication of the change.'),
      requested_at: z.iso.datetime().describe('When the decision was requested.'),
      expires_at: z.iso.datetime().nullable().describe('When the issue is cancelled without a decision; null: never.'),
    })
    .describe(
      'The gate has waited for a day without a decision while the issue holds a slot. Written once a day until somebody decides.',
    ),
  'review.approved': z
    .object({
      revision,
      user_id: z.uuid().describe('The user who approved.'),
      blind,
      approvals: z.int().min(1).describe('How many people have approved so far.'),
      approvals_needed: z.int().min(1).describe('How many have to.'),
      ...decidedOn,
    })
    .describe('A person approved, and the gate needs another approval. The last one is in `review.decided`.'),
  'review.approvals_dropped': z
    .object({
      revision,
      user_ids: z.array(z.uuid()).describe('The users whose approvals no longer count.'),
      reason: z
        .enum(['approver_lost', 'base_moved'])
        .describe(
          'The users may no longer approve here, or the base branch has changed a file of the plan that they approved.',
        ),
    })
    .describe('Approvals of an open gate no longer count. Somebody else was about to approve.'),
  'review.decided': z
    .object({
      revision,
      action: z.enum(decisionActions).describe('The decision.'),
      guidance: z.string().nullable().describe('The instructions given with `instruct`.'),
      attachments: attachmentIds,
      user_id: z.uuid().describe('The user who decided.'),
      blind,
      approvals: z
        .array(gateSchema.shape.approvals.unwrap().element)
        .optional()
        .describe('All approvals that counted, the deciding one last, where more than one was needed.'),
      ...decidedOn,
      inherited_from: z
        .uuid()
        .optional()
        .describe(
          'The first issue of the pull request. The person approved the plan of that issue, and this follow-up stays within its files.',
        ),
    })
    .describe('A person decided, or had decided on the plan of the first issue (`inherited_from`).'),
  'command.started': z
    .object({ command })
    .describe('A command started in the sandbox: the setup, the tests, or a command of the coder.'),
  'command.finished': z
    .object({
      command,
      exit_code: z.int().nullable().describe('The exit code; null when a signal or a limit ended the command.'),
      duration_ms: durationMs,
      text: z.string().describe('The end of the output, or the reason why the command did not run.'),
    })
    .describe('The command ended. Its full output is in the log of the issue.'),
  'diff.updated': z
    .object({
      files: z
        .array(
          z.object({
            path: z.string(),
            additions: z.int(),
            deletions: z.int(),
          }),
        )
        .describe('The files that differ from the base, with the lines added and deleted.'),
    })
    .describe('The diff of the working tree changed.'),
  'result.published': z
    .object({ result: issueResultSchema.describe('The branch and its contents, or the answer.') })
    .describe(
      'The branch was pushed and, at a code host, the pull request was opened. Or the issue was a question, and is answered.',
    ),
  'change_request.updated': z
    .object({
      number: z.int().describe('The number of the pull request.'),
      url: z.string().describe('The URL of the pull request.'),
      state: z.enum(changeRequestStates).describe('The current state.'),
    })
    .describe(
      'The state of the pull request changed at the code host. Also written when a pull request was opened for an issue that had been cancelled meanwhile.',
    ),
  'build.updated': buildNewsSchema.describe(
    'The verdict of the build at the code host changed, or what failed in it. It is about `commit` alone: the build of a commit that is no longer the head of the pull request is not reported. Written in the issue that opened the pull request.',
  ),
  'remark.answered': z
    .object({
      remark: z.string().describe('The id of the remark in `follow_up.remarks`.'),
      outcome: z
        .enum(remarkEnds)
        .describe(
          '`done`: carried out, and its thread is resolved; `declined`; `question`: not done yet; `failed`: the work on it failed.',
        ),
      commit: z.string().nullable().describe('The commit that carries it out; null for none.'),
      text: z.string().describe('The answer as it was written, in Markdown.'),
      url: z.string().nullable().describe('The answer at the code host; null when it could not be written.'),
    })
    .describe(
      'A remark on the pull request was answered, once. Another answer, as after a retry, replaces the one before.',
    ),
  'review.waits': z
    .object({
      number: z.int().describe('The number of the pull request.'),
      review: z.string().describe('The id of the review or the comment at the code host.'),
      by_bot: z.boolean().describe('Whether a review bot wrote it: then there is no follow-up.'),
      rounds: z.int().describe('How many follow-ups the reviews of people, or of bots, have led to before it.'),
      url: z.string().describe('Where it stands at the code host.'),
    })
    .describe(
      'Reviews have led to as many follow-ups as FOLLOW_UP_ROUNDS allows. This one waits until a person runs its follow-up.',
    ),
  'close.asked': z
    .object({ number: z.int().describe('The number of the pull request.') })
    .describe(
      'The pull request was closed without a merge, and Sluice asks for the reason: once for each close. The answer is voluntary.',
    ),
  'close.answered': z
    .object({
      number: z.int().describe('The number of the pull request.'),
      reason: z.enum(closeReasons).describe('The reason.'),
      note: z.string().nullable().describe('What the person added, word for word; or null.'),
      user_id: z.uuid().describe('The user who gave the reason.'),
    })
    .describe('A person said why the pull request was closed without a merge, or changed their answer.'),
  'budget.warning': z
    .object({
      share: z.number().describe('The used share of the limit that is closest to its end; 1 = used up.'),
      detail: z.string().describe('The use in words, such as "1,612,000 of 2,000,000 tokens".'),
    })
    .describe("The issue's budget is nearly used up. Written once until the next retry."),
  'base.moved': z
    .object({
      base_branch: z.string().describe('The base branch of the pull request.'),
      base_commit: z.string().describe('Its commit that the pull request does not have.'),
      conflicts: z.array(z.string()).describe('The files that git cannot merge by itself.'),
      files: z
        .array(z.string())
        .describe(
          'The files in conflict, those that both have changed, and those of the plan that the base has changed.',
        ),
    })
    .describe(
      'The base branch of the open pull request has moved in files that matter, or the code host wants the pull request to have its newest commit. Once for each commit of the base.',
    ),
  'user.message': z
    .object({ text: z.string().describe('The note, word for word.'), attachments: attachmentIds })
    .describe('A person wrote a note to the working agent.'),
  'note.read': z
    .object({ agent, seq: z.int().min(1).describe('The number of the `user.message` event with the note.') })
    .describe('An agent took a note into its conversation. Its next answer is given with the note in mind.'),
} as const satisfies Record<string, z.ZodType>;

export type EventType = keyof typeof eventCatalog;
export type EventData<T extends EventType> = z.infer<(typeof eventCatalog)[T]>;

/** An event to write. The store adds the issue, the sequence number and the time. */
export type NewEvent = {
  [T in EventType]: { readonly type: T; readonly data: EventData<T> };
}[EventType];

/** A stored event, in its wire format. */
export type IssueEvent = NewEvent & {
  readonly seq: number;
  readonly issue_id: string;
  readonly at: string;
};

/** Live output: sent as it arrives, without a sequence number, never stored or replayed. */
export const liveEventCatalog = {
  'agent.delta': z
    .object({ agent, text: z.string().describe('The next piece of the answer.') })
    .describe('A model is answering. The final text follows as `agent.message`.'),
  'command.output': z
    .object({
      command,
      stream: z.enum(['stdout', 'stderr']).describe('The stream that it was written to.'),
      text: z.string().describe('The next piece of output.'),
    })
    .describe('A command is writing output. The log of the issue has it too.'),
} as const satisfies Record<string, z.ZodType>;

type LiveEventType = keyof typeof liveEventCatalog;
export type LiveEvent = {
  [T in LiveEventType]: {
    readonly type: T;
    readonly issue_id: string;
    readonly at: string;
    readonly data: z.infer<(typeof liveEventCatalog)[T]>;
  };
}[LiveEventType];

/** The schema of a stored event, for documents and clients. */
export const issueEventWire = z.object({
  seq: z.int().min(1),
  issue_id: z.uuid(),
  type: z.enum(Object.keys(eventCatalog) as [EventType, ...EventType[]]),
  at: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});

/**
 * The events that retention keeps: the creation of the issue, its statuses, the decisions and the result. The status stays
 * the fold of the events.
 */
export const milestoneEvents = [
  'issue.created',
  'issue.status',
  'review.approved',
  'review.decided',
  'result.published',
] as const satisfies readonly EventType[];
