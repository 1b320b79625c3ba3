import type { AgentInput, AgentOutput, AgentRole } from '@sluice/core/agent';
import { type RemarkAnswer, type ReviewRemark, remarkAnswerSchema, remarksOf } from '@sluice/core/pipeline';
import * as z from 'zod';
import { fence } from '../tools/fence.ts';
import type { Answer, ReadAnswer } from './answer.ts';
import { fitted } from './fitted.ts';
import { jsonObjectsIn } from './json-objects.ts';
import type { Objection, RoleDefinition } from './role-definition.ts';

/** The roles that end with an answer to each remark that a follow-up is about. */
type AnsweringRole = 'planner' | 'coder';

const answers = z.object({
  remarks: z
    .array(remarkAnswerSchema)
    .optional()
    .describe('For each of the remarks exactly one entry. It is written to its author, in their thread.'),
});

const TASK =
  'The issue is made of these remarks; each line has the id of one, its place and how it begins. When you end, give each of them exactly one entry in `remarks`: the outcome `done` for what is carried out or answered, `declined` with the reason, or `question` with what you must know first. Its `answer` is one or two sentences for the author of the remark.';

/**
 * The role for this input: where the issue is about remarks on a pull request, its end also answers each of them. A missing
 * answer is asked for once. All other inputs leave the role as it is.
 */
export function withRemarks<Role extends AgentRole>(
  definition: RoleDefinition<Role>,
  input: AgentInput[Role],
): RoleDefinition<Role> {
  const remarks = remarksOf(input.issue.pipeline.follow_up);
  if (remarks.length === 0 || !answersRemarks(definition)) return definition;
  return answering(definition, remarks) as unknown as RoleDefinition<Role>;
}

function answersRemarks(definition: { readonly role: AgentRole }): definition is RoleDefinition<AnsweringRole> {
  return definition.role === 'planner' || definition.role === 'coder';
}

function answering(
  definition: RoleDefinition<AnsweringRole>,
  remarks: readonly ReviewRemark[],
): RoleDefinition<AnsweringRole> {
  const { request, objections, finish } = definition;
  return {
    ...definition,
    answer: answerWithRemarks(definition.answer),
    request: (input, found) => [request(input, found), remarkSection(remarks)].join('\n\n'),
    objections: async (output, work) => [
      ...((await objections?.(output, work)) ?? []),
      ...(endsWithoutMore(output) ? missingAnswers(output, remarks) : []),
    ],
    finish: (output, work) => {
      const known = givenFor(output, remarks);
      return { ...(finish?.(output, work) ?? output), remarks: known };
    },
  };
}

function remarkSection(remarks: readonly ReviewRemark[]): string {
  const lines = remarks.map(({ id, path, line, url, text }) => {
    const at = path === null ? null : `${path}${line === null ? '' : `:${line}`}`;
    return JSON.stringify({ id, at, url, text });
  });
  return `${fence('remarks', lines.join('\n'))}\n\n${TASK}`;
}

type Output = AgentOutput[AnsweringRole];

/** A plan with steps is carried out by the coder, who answers then; one who is blocked ends the issue. */
function endsWithoutMore(output: Output): boolean {
  return 'steps' in output ? output.steps.length === 0 : output.outcome === 'done';
}

function missingAnswers(output: Output, remarks: readonly ReviewRemark[]): Objection[] {
  const given = new Set((output.remarks ?? []).map(({ id }) => id));
  const missing = remarks.filter(({ id }) => !given.has(id)).map(({ id }) => id);
  if (missing.length === 0) return [];
  return [
    {
      opening: 'Some remarks have no answer',
      rest: `: ${missing.join(', ')}. End again with an entry for each in remarks.`,
    },
  ];
}

/** One answer for each remark at most, and none for what is no remark. */
function givenFor(output: Output, remarks: readonly ReviewRemark[]): RemarkAnswer[] {
  return remarks.flatMap(({ id }) => (output.remarks ?? []).filter((answer) => answer.id === id).slice(0, 1));
}

function answerWithRemarks<O extends Output>(answer: Answer<O>): Answer<O> {
  const add = (read: ReadAnswer<O>, input: unknown): ReadAnswer<O> => {
    const fit = fitted(answers, input, answer.tool?.name ?? '');
    const remarks = fit.ok ? (fit.output.remarks ?? []) : [];
    if (read.ok) return { ok: true, output: { ...read.output, remarks } };
    return read.otherwise === undefined ? read : { ...read, otherwise: { ...read.otherwise, remarks } };
  };
  const { tool } = answer;
  return {
    ...answer,
    schema: extended(answer.schema) as unknown as z.ZodType<O>,
    tool: tool === null ? null : { ...tool, input: extended(tool.input) },
    readCall: (input) => add(answer.readCall(input), input),
    read: (text) => add(answer.read(text), jsonObjectsIn(text).at(-1)?.value),
  };
}

/** The schemas of both roles are of objects. */
function extended(schema: z.ZodType): z.ZodType {
  return (schema as z.ZodObject).extend(answers.shape);
}
