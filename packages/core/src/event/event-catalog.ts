import * as z from 'zod';
import { issueStatuses } from '../issue/issue-machine.ts';
import { issueResultSchema, usageSchema } from '../issue/issue-result.ts';
import { issueWire } from '../issue/issue-wire.ts';
import { planSchema } from '../issue/plan.ts';
import { stages } from '../pipeline/stages.ts';
import { changeRequestStates } from '../port/code-host.ts';

const stage = z.enum(stages);
const stageRun = { stage, agent: z.string(), attempt: z.int().min(1) };

/** Decisions a person can take on a plan. */
export const decisionActions = ['approve', 'reject', 'instruct'] as const;
export type DecisionAction = (typeof decisionActions)[number];

/** Durable events by type: each is a row with a gapless sequence number per issue, written with what it tells of. */
export const eventCatalog = {
  'issue.created': z.object({ issue: issueWire }),
  'issue.status': z.object({
    from: z.enum(issueStatuses),
    to: z.enum(issueStatuses),
    stage: stage.nullable(),
    queue_position: z.int().nullable(),
    /** Why, where the status alone does not say it: an expired gate, a stage that gave up. */
    detail: z.string().optional(),
  }),
  'stage.started': z.object(stageRun),
  'stage.completed': z.object({
    ...stageRun,
    duration_ms: z.int(),
    usage: usageSchema,
    detail: z.string().nullable(),
  }),
  'stage.failed': z.object({
    ...stageRun,
    duration_ms: z.int(),
    detail: z.string(),
    will_retry: z.boolean(),
  }),
  'agent.message': z.object({ agent: z.string(), text: z.string() }),
  'agent.tool_call': z.object({
    agent: z.string(),
    call_id: z.string(),
    tool: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  'agent.tool_result': z.object({
    agent: z.string(),
    call_id: z.string(),
    tool: z.string(),
    ok: z.boolean(),
    summary: z.string(),
  }),
  'plan.created': z.object({ plan: planSchema }),
  'review.requested': z.object({ revision: z.int() }),
  'review.decided': z.object({
    revision: z.int(),
    action: z.enum(decisionActions),
    guidance: z.string().nullable(),
    user_id: z.uuid(),
  }),
  'command.started': z.object({ command: z.string() }),
  'command.finished': z.object({
    command: z.string(),
    exit_code: z.int().nullable(),
    duration_ms: z.int(),
    text: z.string(),
  }),
  'diff.updated': z.object({
    files: z.array(z.object({ path: z.string(), additions: z.int(), deletions: z.int() })),
  }),
  'result.published': z.object({ result: issueResultSchema }),
  /** The code host says that the pull request is in another state now. */
  'change_request.updated': z.object({ number: z.int(), url: z.string(), state: z.enum(changeRequestStates) }),
  'user.message': z.object({ text: z.string() }),
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
  'agent.delta': z.object({ agent: z.string(), text: z.string() }),
  'command.output': z.object({
    command: z.string(),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),
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
