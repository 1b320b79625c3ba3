import type { CodeHit } from '@sluice/core/code-search';
import type { Issue } from '@sluice/core/issue';
import type { Plan, PlanDraft } from '@sluice/core/pipeline';
import type { Repo } from '@sluice/core/repo';
import { splitUntrusted } from '@sluice/core/text';
import type { ChosenAdvice } from '../advice/choose-advice.ts';
import { type FenceTag, fence, fenceAround } from '../tools/fence.ts';
import { shownHit } from '../tools/shown-hit.ts';
import { wordPattern } from '../tools/whole-word.ts';
import type { PlannedFile } from './planned-files.ts';

/** The issue, with its title as the first line. Comments from the code host have their own section. */
export function issueSections({ title, body, labels }: Issue): string[] {
  const { trusted, untrusted } = splitUntrusted(body);
  return [
    fence('issue', `${title}\n\n${trusted}`),
    ...(untrusted === null ? [] : [fence('untrusted_comments', untrusted)]),
    ...(labels.length === 0 ? [] : [fence('labels', labels.join('\n'))]),
  ];
}

/** The search query for an issue, without untrusted comments: they must not choose what a model is shown. */
export function issueQuery({ title, body }: Issue): string {
  return `${title}\n${splitUntrusted(body).trusted}`;
}

/** The owner's instructions for every issue, if any. */
export function repoSections(repo: Repo): string[] {
  return repo.instructions === null ? [] : [fence('instructions', repo.instructions)];
}

/** The measured environment of the agent, if any. Names in it come from the repository. */
export function environmentSections(environment: string | null | undefined): string[] {
  return environment == null ? [] : [fence('environment', environment)];
}

/** The repository's files for contributors. Anyone with write access may have written them. */
export function adviceSections({ shown, named }: ChosenAdvice): string[] {
  return [
    ...shown.map(({ path, text }) => fence('advice', `${path}\n\n${text}`)),
    ...(named.length === 0 ? [] : [`${NAMED}\n${fence('more_advice', named.join('\n'))}`]),
  ];
}

const NAMED = 'There is more advice. Use read_file where your work is about it:';

const MAX_EXCERPT = 100; // characters: a signature. Nobody asked for these places; what matters of them is read in whole

/** Places in the code, best first, each from the line that names it: the comment before that is often long. */
export function contextSection(hits: readonly CodeHit[]): string {
  return fenceAround(
    'context',
    hits.map((hit) => fence('hit', shownHit({ ...hit, text: fromSignature(hit) }, { excerpt: MAX_EXCERPT }))),
  );
}

const COMMENT = /^\s*(?:\/\*|\/\/|\*(?:[\s/]|$)|#\s|--\s)/; // not `#private` and `*generator`

function fromSignature({ symbol, text }: CodeHit): string {
  const name = /[\p{L}\p{N}_$]+$/u.exec(symbol ?? '')?.[0];
  if (name === undefined) return text;
  const alone = wordPattern(name, 'u');
  const lines = text.split('\n');
  const at = lines.findIndex((line) => alone.test(line) && !COMMENT.test(line));
  return lines.slice(Math.max(0, at)).join('\n');
}

/** A plan, with each part in its own fence so that the details arrive exactly. */
export function planSection(plan: Plan | PlanDraft): string {
  return fenceAround('plan', [
    fence('plan_summary', plan.summary),
    ...plan.steps.map((step) =>
      fenceAround('step', [
        fence('step_title', step.title),
        fence('step_files', step.files.join('\n')),
        fence('step_detail', step.detail),
      ]),
    ),
    ...filled('plan_criteria', list(plan.acceptance_criteria)),
    ...filled('plan_risks', list(plan.risks)),
    ...filled('plan_test_strategy', [plan.test_strategy, ...proposals(plan)].join('\n')),
  ]);
}

function filled(tag: FenceTag, text: string): string[] {
  return text.trim() === '' ? [] : [fence(tag, text)];
}

/** The commands that the plan proposes, so that a plan made again keeps them. */
function proposals({ setup_command, test_command }: PlanDraft): string[] {
  return Object.entries({ setup_command, test_command }).flatMap(([name, command]) =>
    command === undefined ? [] : [`${name}: ${command}`],
  );
}

/** The files that are to be changed, as they are in the tree. */
export function plannedFileSections(files: readonly PlannedFile[]): string[] {
  return files.map(({ path, text }) => fence('planned_file', `${path}\n${text}`));
}

/** A list with a dash for each item. */
export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
