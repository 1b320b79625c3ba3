import * as z from 'zod';
import { changeRequestStates } from '../code-host/code-host.ts';
import { decisionActions, gateSchema } from '../pipeline/gate.ts';
import { planSchema } from '../pipeline/plan.ts';
import { stages } from '../pipeline/stages.ts';
import { usageSchema } from '../pipeline/usage.ts';
import { issueStatuses } from './issue-machine.ts';
import { issueResultSchema } from './issue-result.ts';
import { issueWire } from './issue-wire.ts';

const stage = z.enum(stages).describe('The stage.');
const agent = z.string().describe('Who: the name of the agent, or `service` for what Sluice says itself.');
const stageRun = {
  stage,
  agent,
  attempt: z.int().min(1).describe('Counts the runs of this stage, from 1.'),
};
const durationMs = z.int().describe('How long it took, in milliseconds.');
const callId = z.string().describe('Names the call, so that its result can be found.');
const tool = z.string().describe('The name of the tool.');
const command = z.string().describe('The command line.');
const revision = z.int().describe('The revision of the plan.');

/**
 * Durable events by type: each is a row with a gapless sequence number per issue, written with what it tells of. The
 * description of a type says when it is written; docs/events.md is printed from here.
 */
export const eventCatalog = {
  'issue.created': z
    .object({ issue: issueWire.describe('The issue as it was at that moment.') })
    .describe(
      'The issue was made: by a request, an import, a label at the code host or a follow-up. Always the first one.',
    ),
  'issue.status': z
    .object({
      from: z.enum(issueStatuses).describe('The status before. The same as `to` where the issue moved within it.'),
      to: z.enum(issueStatuses).describe('The status now.'),
      stage: stage.nullable().describe('The stage that the issue is at; null before its first.'),
      queue_position: z
        .int()
        .nullable()
        .describe('Its place among those that wait for a slot, from 1; null when it does not wait.'),
      detail: z
        .string()
        .optional()
        .describe('Why, where the status alone does not say it: an expired gate, a stage that gave up.'),
    })
    .describe(
      'The issue moved: into another status, to its next stage, or to a place in the queue. Always the last event of its write.',
    ),
  'stage.started': z.object(stageRun).describe('A worker began a run of a stage.'),
  'stage.completed': z
    .object({
      ...stageRun,
      duration_ms: durationMs,
      usage: usageSchema.describe('What the models have used in this round of the stage.'),
      detail: z.string().nullable().describe('What came of it, in a sentence, where there is something to say.'),
    })
    .describe('The stage reached its end, and its result is written.'),
  'stage.failed': z
    .object({
      ...stageRun,
      duration_ms: durationMs,
      detail: z.string().describe('Why, for people.'),
      will_retry: z.boolean().describe('Whether the service tries the stage again by itself.'),
    })
    .describe('The run of a stage failed.'),
  'agent.message': z
    .object({ agent, text: z.string().describe('What was said. Long text is cut in its middle.') })
    .describe('An agent, or the service itself, said something that is worth keeping.'),
  'agent.tool_call': z
    .object({
      agent,
      call_id: callId,
      tool,
      input: z.record(z.string(), z.unknown()).describe('What it was called with. Long values are shortened.'),
    })
    .describe('An agent called a tool.'),
  'agent.tool_result': z
    .object({
      agent,
      call_id: callId,
      tool,
      ok: z.boolean().describe('Whether the tool did what it was asked.'),
      summary: z.string().describe('What it answered, shortened.'),
    })
    .describe('The tool answered. What a call did and what it answered are written together.'),
  'plan.created': z
    .object({ plan: planSchema.describe('The plan, whole.') })
    .describe('A revision of the plan is there, and nobody has decided on it yet.'),
  'review.requested': z
    .object({ revision })
    .describe(
      'A person is asked: for the plan, or for the publication of a change that holds files which run with secrets.',
    ),
  'gate.reminder': z
    .object({
      kind: gateSchema.shape.kind.describe('What is asked: about the plan, or about the publication of the change.'),
      requested_at: z.iso.datetime().describe('Since when.'),
      expires_at: z.iso.datetime().nullable().describe('When the issue is cancelled without a decision; null: never.'),
    })
    .describe(
      'Nobody has decided for a day, and the issue holds a slot of the installation meanwhile. Written once a day until somebody decides.',
    ),
  'review.decided': z
    .object({
      revision,
      action: z.enum(decisionActions).describe('What was decided.'),
      guidance: z.string().nullable().describe('What the person wrote with `instruct`.'),
      user_id: z.uuid().describe('Who decided.'),
    })
    .describe('A person decided.'),
  'command.started': z
    .object({ command })
    .describe('A command began in the sandbox: the setup, the tests, or one of the agent that writes code.'),
  'command.finished': z
    .object({
      command,
      exit_code: z.int().nullable().describe('Its exit code; null when it was ended by a signal or a limit.'),
      duration_ms: durationMs,
      text: z.string().describe('The end of its output; or why it did not run.'),
    })
    .describe('It ended. Its whole output is in the log of the issue.'),
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
        .describe('The files that differ from the base now, with their counts of lines.'),
    })
    .describe('The change has grown or shrunk.'),
  'result.published': z
    .object({ result: issueResultSchema.describe('The branch and what is in it.') })
    .describe('The branch was pushed and, at a code host, its pull request is there.'),
  'change_request.updated': z
    .object({
      number: z.int().describe('The number of the pull request.'),
      url: z.string().describe('Where it is.'),
      state: z.enum(changeRequestStates).describe('Its state now.'),
    })
    .describe(
      'The code host says that the pull request is in another state; or, on an issue that was cancelled while it was being opened, that it is there.',
    ),
  'user.message': z
    .object({ text: z.string().describe('The note, word for word.') })
    .describe('A person wrote a note to the working agent.'),
} as const satisfies Record<string, z.ZodType>;

export type EventType = keyof typeof eventCatalog;
export type EventData<T extends EventType> = z.infer<(typeof eventCatalog)[T]>;

/** An event to be written: the store adds issue, sequence and time. */
export type NewEvent = {
  [T in EventType]: { readonly type: T; readonly data: EventData<T> };
}[EventType];

/** A written event, as it stands on the wire. */
export type IssueEvent = NewEvent & {
  readonly seq: number;
  readonly issue_id: string;
  readonly at: string;
};

/** Live text: sent as it comes, without a sequence number, never stored, never replayed. */
export const liveEventCatalog = {
  'agent.delta': z
    .object({ agent, text: z.string().describe('The next piece of what the model is saying.') })
    .describe('A model is answering. What counts of it comes as `agent.message` afterwards.'),
  'command.output': z
    .object({
      command,
      stream: z.enum(['stdout', 'stderr']).describe('Where it was written.'),
      text: z.string().describe('The next piece of output.'),
    })
    .describe('A command is writing. The log of the issue has it too.'),
} as const satisfies Record<string, z.ZodType>;

export type LiveEventType = keyof typeof liveEventCatalog;
export type LiveEvent = {
  [T in LiveEventType]: {
    readonly type: T;
    readonly issue_id: string;
    readonly at: string;
    readonly data: z.infer<(typeof liveEventCatalog)[T]>;
  };
}[LiveEventType];

/** The written event on the wire, for documents and clients. */
export const issueEventWire = z.object({
  seq: z.int().min(1),
  issue_id: z.uuid(),
  type: z.enum(Object.keys(eventCatalog) as [EventType, ...EventType[]]),
  at: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});
