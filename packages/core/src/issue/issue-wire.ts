import * as z from 'zod';
import { changeRequestStates } from '../code-host/code-host.ts';
import { gateSchema } from '../pipeline/gate.ts';
import { planSchema } from '../pipeline/plan.ts';
import { stages } from '../pipeline/stages.ts';
import { usageSchema } from '../pipeline/usage.ts';
import { issueOrigins, type ListedIssue } from './issue.ts';
import { issueStatuses } from './issue-machine.ts';
import { issueErrorSchema, issueResultSchema } from './issue-result.ts';

const instant = z.iso.datetime();

/** The issue on the wire: one schema for REST, tRPC and the events that carry an issue. */
export const issueWire = z.object({
  id: z.uuid(),
  repo_id: z.uuid(),
  title: z.string(),
  body: z.string(),
  status: z.enum(issueStatuses),
  stage: z.enum(stages).nullable(),
  origin: z.enum(issueOrigins),
  labels: z.array(z.string()),
  parent_issue_id: z.uuid().nullable(),
  codehost_number: z.int().nullable(),
  codehost_url: z.string().nullable(),
  change_request_state: z.enum(changeRequestStates).nullable().default(null),
  base_branch: z.string(),
  plan: planSchema.nullable(),
  gate: gateSchema.nullable(),
  result: issueResultSchema.nullable(),
  error: issueErrorSchema.nullable(),
  usage: usageSchema,
  queue_position: z.int().nullable(),
  created_at: instant,
  updated_at: instant,
  queued_at: instant.nullable(),
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
});
export type IssueWire = z.infer<typeof issueWire>;

export function toIssueWire(issue: ListedIssue): IssueWire {
  return {
    id: issue.id,
    repo_id: issue.repoId,
    title: issue.title,
    body: issue.body,
    status: issue.status,
    stage: issue.stage,
    origin: issue.origin,
    labels: [...issue.labels],
    parent_issue_id: issue.parentIssueId,
    codehost_number: issue.codehostNumber,
    codehost_url: issue.codehostUrl,
    change_request_state: issue.changeRequest?.state ?? null,
    base_branch: issue.baseBranch,
    plan: issue.plan,
    gate: issue.gate,
    result: issue.result,
    error: issue.error,
    usage: issue.usage,
    queue_position: issue.queuePosition,
    created_at: issue.createdAt.toISOString(),
    updated_at: issue.updatedAt.toISOString(),
    queued_at: issue.queuedAt?.toISOString() ?? null,
    started_at: issue.startedAt?.toISOString() ?? null,
    finished_at: issue.finishedAt?.toISOString() ?? null,
  };
}
