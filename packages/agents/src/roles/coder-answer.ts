import { type AgentOutput, outsidePlanSchema } from '@sluice/core';
import * as z from 'zod';
import type { Answer } from './answer.ts';

/** The prefix of the coder's last message when it could not do the work, as its prompt says. */
export const BLOCKED = 'BLOCKED:';

const schema = z.object({
  outcome: z.enum(['done', 'blocked']),
  summary: z.string(),
  outsidePlan: z.array(outsidePlanSchema),
});

/** The coder answers in plain text: with a JSON schema, several model servers stop calling tools. */
export const coderAnswer: Answer<AgentOutput['coder']> = {
  name: null,
  schema,
  read(text) {
    const answer = text.trim();
    const summary = answer.startsWith(BLOCKED) ? answer.slice(BLOCKED.length).trim() : answer;
    if (summary === '') return { ok: false, fault: 'It is empty. Say in a few sentences what you changed and why.' };
    // The files outside the plan are taken from its calls, not from its answer.
    return { ok: true, output: { outcome: answer.startsWith(BLOCKED) ? 'blocked' : 'done', summary, outsidePlan: [] } };
  },
  render: ({ summary }) => summary,
};
