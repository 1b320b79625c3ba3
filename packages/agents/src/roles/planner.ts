import type { AgentInput } from '@sluice/core/agent';
import {
  type PlannerOutput,
  type PlanPaths,
  plannedFiles,
  plannerOutputSchema,
  planPaths,
  type Triage,
  withIgnored,
} from '@sluice/core/pipeline';
import { fence } from '../tools/fence.ts';
import { findCode } from '../tools/find-code.ts';
import { listFiles } from '../tools/list-files.ts';
import { outline } from '../tools/outline.ts';
import { plainPath } from '../tools/plan-scope.ts';
import { readFile } from '../tools/read-file.ts';
import { searchText } from '../tools/search-text.ts';
import { structuredAnswer } from './answer.ts';
import {
  adviceSections,
  contextSection,
  environmentSections,
  issueQuery,
  issueSections,
  list,
  planSection,
  repoSections,
} from './request-sections.ts';
import type { Objection, RoleDefinition } from './role-definition.ts';
import { refusalIn } from './unfinished-words.ts';

const SUBMIT = 'submit_plan';
const QUERY_CHARACTERS = 2_000; // more words only blur the ranking

const BASE_MOVED = 'Since that plan was made, the base branch has moved in the files listed above: read them again.';

/** Warns the approver that the plan is not based on the code. */
const UNREAD = 'The planner read nothing in the repository except the places that it was shown.';

const NO_STEPS = { steps: [], acceptance_criteria: [], risks: [], test_strategy: '' };

const hasText = (value: unknown) => typeof value === 'string' && value.trim() !== '';

const reading = [listFiles, searchText, findCode, outline, readFile];

export const planner: RoleDefinition<'planner'> = {
  role: 'planner',
  promptFile: new URL('./planner.md', import.meta.url),
  tools: reading,
  maxTurns: 40,
  answer: structuredAnswer({
    name: 'plan',
    schema: plannerOutputSchema,
    tool: {
      name: SUBMIT,
      description: 'Ends your work with the plan.',
    },
    // An answer to a question has nothing to say there.
    complete: (given) => (hasText(given.answer) && hasText(given.summary) ? { ...NO_STEPS, ...given } : given),
  }),
  adviceAbout: ({ lastPlan }, hits) => [
    ...hits.map(({ path }) => path),
    ...(lastPlan === null ? [] : plannedFiles(lastPlan)),
  ],
  query: ({ issue, guidance }) => `${guidance ?? ''}\n${issueQuery(issue)}`.slice(0, QUERY_CHARACTERS),
  request: (input, { hits, advice }) =>
    [
      ...repoSections(input.repo),
      ...environmentSections(input.environment),
      ...adviceSections(advice),
      ...issueSections(input.issue),
      ...(input.triage === null ? [] : [triageSection(input.triage)]),
      contextSection(hits),
      ...(input.lastPlan === null ? [] : [planSection(input.lastPlan)]),
      ...(input.baseMoved === null ? [] : [fence('base_moved', input.baseMoved.join('\n'))]),
      ...(input.guidance === null ? [] : [fence('guidance', input.guidance)]),
      task(input),
    ].join('\n\n'),
  // A retry goes on in the conversation of the revision. Meanwhile the base may have moved, and a person may have written.
  followUp: ({ environment, baseMoved, guidance, triage }) => [
    ...environmentSections(environment),
    ...(baseMoved === null ? [] : [`${fence('base_moved', baseMoved.join('\n'))}\n\n${BASE_MOVED}`]),
    ...(guidance === null ? [] : [`${fence('guidance', guidance)}\n\n${guided(triage)}`]),
  ],
  async objections(plan, { input, files }) {
    const named = planPaths(withPlainPaths(plan), await files.list());
    const paths = withIgnored(named, await files.ignored(named.created));
    return [...questionObjections(plan, input.triage), ...pathObjections(paths)];
  },
  finish(plan, { calls }) {
    const draft = withPlainPaths(refusalIn(plan.answer ?? '') === null ? plan : { ...plan, answer: '' });
    const hasRead = calls.some(({ tool, outcome }) => outcome === 'done' && reading.some(({ name }) => name === tool));
    return hasRead ? draft : { ...draft, risks: [...draft.risks, UNREAD] };
  },
};

/** A question is answered, not coded. A planner that finds no answer, or a change that is asked for, may insist. */
function questionObjections({ kind, steps, answer = '' }: PlannerOutput, triage: Triage | null): Objection[] {
  if ((kind ?? triage?.kind) !== 'question') return [];
  if (steps.length > 0)
    return [
      {
        opening: 'A question is answered, not coded',
        rest: '. Give the answer and leave steps empty. If the issue asks for a change, submit the plan again with another kind.',
      },
    ];
  return answer.trim() === '' || refusalIn(answer) !== null
    ? [{ opening: 'The question has no answer', rest: ': give it in answer.' }]
    : [];
}

function pathObjections({ problems }: PlanPaths): Objection[] {
  if (problems.length === 0) return [];
  const rest = `:\n${list(problems)}\nCorrect them and submit the whole plan again. A path that is right, such as a new file, stays as it is.`;
  return [{ opening: 'Some paths of the plan may be wrong', rest }];
}

function triageSection({ kind, risk, summary, acceptance_criteria, open_questions }: Triage): string {
  const questions = open_questions.length > 0 ? `\nOpen questions:\n${list(open_questions)}` : '';
  return fence(
    'triage',
    `${kind}, risk ${risk}: ${summary}\nAcceptance criteria:\n${list(acceptance_criteria)}${questions}`,
  );
}

function task({ lastPlan, guidance, baseMoved, triage }: AgentInput['planner']): string {
  if (lastPlan === null) return 'Write the plan.';
  const why = [...(guidance === null ? [] : [guided(triage)]), ...(baseMoved === null ? [] : [BASE_MOVED])];
  return [
    ...why,
    'Write the whole plan again. Keep what still holds, and begin its summary with what you changed and why.',
  ].join(' ');
}

/** Approvers see the open questions at the gate, so guidance is also where they are answered. */
function guided(triage: Triage | null): string {
  const section =
    'A person has read the plan above and gives guidance. Where it asks something, answer in the summary of the plan.';
  if (triage === null || triage.open_questions.length === 0) return section;
  return `${section} Where it answers one of the open questions of the triage, that question is settled.`;
}

/** Without what models write around a path: quotation marks, lines, and that the file is new. */
function undecorated(path: string): string {
  return path
    .trim()
    .replace(/\s+\((?:new|new file|created?|modified|edit(?:ed)?)\)$/i, '')
    .replace(/^(["'`])(.*)\1$/, '$2')
    .replace(/(?::\d+(?:-\d+)?(?::\d+)?|#L\d+(?:-L?\d+)?)$/, '')
    .trim();
}

/** The files as git spells them, once each. They are the coder's scope, and the change is compared with them. */
function withPlainPaths(plan: PlannerOutput): PlannerOutput {
  const plain = (paths: readonly string[]) => [
    ...new Set(
      paths
        .map(undecorated)
        .filter((path) => path !== '')
        .map(plainPath),
    ),
  ];
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, files: plain(step.files) })) };
}
