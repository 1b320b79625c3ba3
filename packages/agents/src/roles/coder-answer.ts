import { type AgentOutput, outsidePlanSchema } from '@sluice/core';
import * as z from 'zod';
import type { Answer } from './answer.ts';

/** What the coder's last message begins with when it could not do the work. The prompt tells it so. */
export const BLOCKED = 'BLOCKED:';

const schema = z.object({
  outcome: z.enum(['done', 'blocked']),
  summary: z.string(),
  outsidePlan: z.array(outsidePlanSchema),
});

/** The coder ends in words, not in JSON: a schema beside tools makes several model servers stop calling tools. */
export const coderAnswer: Answer<AgentOutput['coder']> = {
  name: null,
  schema,
  read(text) {
    const answer = text.trim();
    const summary = answer.startsWith(BLOCKED) ? answer.slice(BLOCKED.length).trim() : answer;
    if (summary === '') return { ok: false, fault: 'It is empty. Say in a few sentences what you changed and why.' };
    // What it wrote outside the plan is taken from its calls, not from its words.
    return { ok: true, output: { outcome: answer.startsWith(BLOCKED) ? 'blocked' : 'done', summary, outsidePlan: [] } };
  },
  render: ({ summary }) => summary,
};
