import type { AgentOutput } from '@sluice/core/agent';
import { outsidePlanSchema, ranCommandSchema } from '@sluice/core/pipeline';
import * as z from 'zod';
import { shortenEnd } from '../tools/shorten.ts';
import type { Answer } from './answer.ts';
import { fitted } from './fitted.ts';
import { type JsonObject, jsonObjectsIn } from './json-objects.ts';
import { refusalIn, unfinishedIn } from './unfinished-words.ts';

/** The prefix of an end in words by which the coder says that it could not do the work. */
export const BLOCKED = 'BLOCKED:';

/** The built-in model's reason for having run nothing. No person needs to read it: the service tests the change next. */
export const RUNS_NO_COMMANDS = 'the built-in model runs no commands.';

const BLOCKED_BEGINS =
  /^[\s*_#>`-]*blocked\b[\s*_`]*(?:[:.!]|\s[–—-]\s)(?![\s*_`]*(?:no|none|nothing)\b[*_`]*(?:[.!,;\n]|$))[\s*_`]*/i;

const DONE_BEGINS = /^[\s*_#>`-]*(?:done|finished|completed?)\b[*_`]*(?:[:.!\n]|\s[–—-]\s|$)[\s*_`]*/i;
const MAX_QUOTE_LENGTH = 600; // characters of words that say nothing clear

const finish = {
  name: 'finish',
  description: 'Ends your work.',
  input: z.object({
    outcome: z.enum(['done', 'blocked']),
    summary: z.string().trim().min(1).describe('For a person: what you changed and why, or what stands in the way.'),
    not_done: z.array(z.string()).optional().describe('Parts of the plan that are not done.'),
    ran: z
      .array(z.object({ command: z.string(), result: z.string() }))
      .optional()
      .describe('How you checked the work.'),
    not_run_reason: z.string().optional().describe('Why nothing ran after your last change.'),
  }),
  canonical: (input: unknown) => input,
};

/** Items that models put into a list that should be empty: `None.`, `None, all steps are done.`, `Nothing is left.` */
const NOTHING =
  /^(?:n\/?a|no|-)?[.\s]*$|^(?:none|nothing)(?:$|\s*[.,;:–—(-]|\s+(?:is |was )?(?:left|missing|open|remain(?:s|ing)|else)\b)/i;

const schema = z.object({
  outcome: z.enum(['done', 'blocked']),
  summary: z.string(),
  ran: z.array(ranCommandSchema).default([]), // absent in older journals
  notRunReason: z.string().optional(),
  outsidePlan: z.array(outsidePlanSchema),
});

const NO_CALL = `You called no tool. If the work goes on, call the next tool. If it is over, call ${finish.name}: say there what you changed and what you ran. If you cannot call it, begin your answer with DONE: or BLOCKED: instead.`;

/**
 * The coder ends by the tool `finish`, in which it says whether the work is done. An end in words is asked once for the
 * tool; said again, it is done only if it says so first, since nobody can tell from any other words. What the coder ran
 * and which files it changed outside the plan is added from its calls.
 */
export const coderAnswer: Answer<AgentOutput['coder']> = {
  name: null,
  schema,
  tool: finish,
  readCall(input) {
    const fit = fitted(finish.input, input, finish.name);
    if (!fit.ok) {
      const problem = `The answer does not fit: ${fit.fault}.`;
      return { ok: false, problem, fault: problem };
    }
    const { outcome, summary, ran = [], not_run_reason, not_done = [] }: z.infer<typeof finish.input> = fit.output;
    const reason = not_run_reason?.trim();
    const left = not_done.map((one) => one.trim()).filter((one) => !NOTHING.test(one));
    if (left.length > 0) return { ok: true, output: partOf(summary, left) };
    return {
      ok: true,
      output: { outcome, summary, ran, ...(reason && { notRunReason: reason }), outsidePlan: [] },
    };
  },
  read(text) {
    const words = text.trim();
    const written = endWrittenIn(words);
    if (written?.outcome === 'blocked') return { ok: true, output: written };
    const [prefix] = BLOCKED_BEGINS.exec(words) ?? [];
    const reason = prefix === undefined ? '' : words.slice(prefix.length).trim();
    if (reason !== '') return { ok: true, output: { outcome: 'blocked', summary: reason, ran: [], outsidePlan: [] } };
    if (words === '' || prefix !== undefined)
      return { ok: false, problem: 'It is empty.', fault: `It is empty. ${NO_CALL}` };
    const unfinished = refusalIn(words) ?? unfinishedIn(words);
    const fault = unfinished === null ? NO_CALL : `It says that the work is not done: "${unfinished}" ${NO_CALL}`;
    const meant = written ?? (unfinished === null ? endWrittenIn(words, () => true) : null);
    return { ok: false, problem: 'It ended without a call.', fault, otherwise: meant ?? endInWords(words, unfinished) };
  },
  render: ({ summary }) => summary,
};

/** Work of which a part is not done is blocked, whatever the outcome says: a person approved the whole. */
function partOf(summary: string, left: readonly string[]): AgentOutput['coder'] {
  return { outcome: 'blocked', summary: `${summary}\nNot done: ${left.join('; ')}`, ran: [], outsidePlan: [] };
}

/** The end that words stand for that came again: done if they begin with that, and otherwise blocked. */
function endInWords(words: string, unfinished: string | null): AgentOutput['coder'] {
  const [prefix] = DONE_BEGINS.exec(words) ?? [];
  if (prefix !== undefined) {
    const summary = words.slice(prefix.length).trim();
    return { outcome: 'done', summary: summary === '' ? words : summary, ran: [], outsidePlan: [] };
  }
  const summary =
    unfinished === null
      ? `It ended without saying whether the work is done: ${shortenEnd(words, MAX_QUOTE_LENGTH)}`
      : words;
  return { outcome: 'blocked', summary, ran: [], outsidePlan: [] };
}

/** The input of `finish`, which some servers pass on as text, mostly at its end; null where there is none. */
function endWrittenIn(text: string, isAt = ({ isLast }: JsonObject) => isLast): AgentOutput['coder'] | null {
  const last = jsonObjectsIn(text).findLast(isAt);
  const read = last === undefined ? null : coderAnswer.readCall(last.value);
  return read?.ok === true ? read.output : null;
}
