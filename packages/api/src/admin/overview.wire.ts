import { issueStatuses, type SlotUse } from '@sluice/core/issue';
import type { SeenWorker } from '@sluice/core/operation';
import { stages } from '@sluice/core/pipeline';
import * as z from 'zod';

export const slotHolderWire = z.object({
  issue_id: z.uuid(),
  title: z.string(),
  owner: z.object({ id: z.uuid(), email: z.string().nullable(), codehost_login: z.string().nullable() }),
  status: z.enum(issueStatuses),
  stage: z.enum(stages).nullable(),
  since: z.iso.datetime().nullable().describe('When it took the slot.'),
  worker_id: z
    .string()
    .nullable()
    .describe('The worker that runs it; null at a gate, and until the next worker takes it.'),
});

export const slotWire = z.object({
  number: z.int(),
  retired: z.boolean().describe('Whether the number of slots was lowered: it is removed when it is freed.'),
  holder: slotHolderWire.nullable().describe('Null: free.'),
});

export const workerSandboxWire = z.object({
  kind: z.string(),
  usable: z.boolean().describe('Whether commands can run.'),
  problem: z.string().nullable().describe('Why not, and what to do about it.'),
  gaps: z.array(z.string()).describe('The limits that its host cannot enforce.'),
});

export const workerWire = z.object({
  id: z.string(),
  host: z.string().describe('The name of its machine.'),
  pid: z.int(),
  role: z.enum(['worker', 'all']),
  version: z.string(),
  concurrency: z.int().describe('How many issues it runs at the same time.'),
  started_at: z.iso.datetime(),
  seen_at: z.iso.datetime(),
  state: z
    .enum(['running', 'gone'])
    .describe(
      '`gone`: not seen for 90 s. It was killed, or cannot reach the database; the row is deleted after a day.',
    ),
  sandbox: workerSandboxWire.nullable().describe('Null until it was tried.'),
});

export function toSlotWire({ number, isRetired, holder }: SlotUse): z.infer<typeof slotWire> {
  if (holder === null) return { number, retired: isRetired, holder: null };
  const { issueId, title, owner, status, stage, since, workerId } = holder;
  return {
    number,
    retired: isRetired,
    holder: {
      issue_id: issueId,
      title,
      owner: { id: owner.id, email: owner.email, codehost_login: owner.codehostLogin },
      status,
      stage,
      since: since?.toISOString() ?? null,
      worker_id: workerId,
    },
  };
}

export function toWorkerWire(worker: SeenWorker): z.infer<typeof workerWire> {
  const { id, hostName, pid, role, version, concurrency, startedAt, seenAt, isGone, sandbox } = worker;
  return {
    id,
    host: hostName,
    pid,
    role,
    version,
    concurrency,
    started_at: startedAt.toISOString(),
    seen_at: seenAt.toISOString(),
    state: isGone ? 'gone' : 'running',
    sandbox: sandbox === null ? null : { ...sandbox, gaps: [...sandbox.gaps] },
  };
}
