import { MODEL_NEEDED, type PlanDraft } from '@sluice/core/pipeline';
import { allFenced, fenced, insideFence } from '../tools/fence.ts';
import { type EditForm, operationFiles, operationTitle } from './edit-operation.ts';
import { issueForms, issueText } from './issue-text.ts';
import { finalAnswer, type ModelCall, type ModelMove } from './model-move.ts';
import { linesOf } from './near-miss.ts';
import { planFromForms, TEST_STRATEGY } from './plan-from-forms.ts';
import { planText } from './plan-text.ts';
import type { Transcript } from './read-prompt.ts';
import { type KnownFiles, rehearse } from './rehearse.ts';
import { readSpelledForms, type SpelledForm, type SpelledForms } from './spelled-forms.ts';
import { acceptanceCriteria } from './triage-by-words.ts';
import { wholeFile } from './whole-file.ts';

/** The planner's next answer: first it reads the files that the edits touch, then it writes the plan. */
export function plannerMove(transcript: Transcript): ModelMove {
  const { request } = transcript;
  const issue = issueText(request);
  const criteria = acceptanceCriteria(issue);
  const guidance = fenced('guidance', request);
  const guided = guidance === null ? NOTHING : readSpelledForms(guidance);
  const lastForms = planText(request)?.forms ?? [];
  const spelled = lastForms.length > 0 ? { forms: lastForms.map(asSpelled), misses: [] } : issueForms(issue);
  const misses = [...spelled.misses, ...linesOf(guided.misses, 'of the guidance')];

  const known = readAll(
    transcript,
    [...spelled.forms, ...guided.forms].map(({ form }) => form),
  );
  if ('calls' in known) return { text: 'Reading the files that the edits touch.', calls: known.calls };
  const base = spelled.forms.filter((one) => isApplicable(one, known.files)).map(({ form }) => form);
  const added = guided.forms.filter((one) => isApplicable(one, known.files)).map(({ form }) => form);
  misses.push(...[...spelled.forms, ...guided.forms].flatMap((one) => missOf(one, known.files)));
  if (base.length + added.length === 0) {
    const changes = [...baseMoved(request), ...(guidance === null ? [] : [UNREAD_GUIDANCE])];
    return finalAnswer(JSON.stringify(planFromHits(request, { title: issue.title, criteria, changes, misses })));
  }
  const kept = withoutReplaced(base, added, known.files);
  const changes = [...baseMoved(request), ...(guidance === null ? [] : changesOf(base, kept, added))];
  return finalAnswer(
    JSON.stringify(planFromForms({ forms: rehearse([...kept, ...added], known.files), criteria, changes, misses })),
  );
}

const NOTHING: SpelledForms = { forms: [], misses: [] };

function asSpelled(form: EditForm): SpelledForm {
  return { form, onlyNew: false };
}

/** A block beside the path of a file that is there may be an excerpt of it: writing the file would lose the rest. */
function isApplicable({ form, onlyNew }: SpelledForm, files: KnownFiles): boolean {
  return (
    !onlyNew || form.kind === 'refused' || operationFiles(form).every((path) => (files.get(path) ?? null) === null)
  );
}

function missOf(one: SpelledForm, files: KnownFiles): string[] {
  if (isApplicable(one, files) || one.form.kind === 'refused') return [];
  const [path = ''] = operationFiles(one.form);
  return [
    `A block beside ${path} was left out, because that file exists and the block may be an excerpt of it: begin the block with \`\`\`file=${path} to write the whole file.`,
  ];
}

function baseMoved(request: string): string[] {
  const moved = fenced('base_moved', request);
  if (moved === null) return [];
  return [`Tried again on the base as it is now, which has moved in ${moved.replaceAll('\n', ', ')}.`];
}

const UNREAD_GUIDANCE =
  'The guidance spells out no edit in a form that can be read without a model, so the operations are unchanged.';

function readAll(transcript: Transcript, forms: readonly EditForm[]): { files: KnownFiles } | { calls: ModelCall[] } {
  const paths = [...new Set(forms.flatMap((form) => (form.kind === 'refused' ? [] : operationFiles(form))))];
  const files = new Map<string, string | null>();
  const calls: ModelCall[] = [];
  for (const [index, path] of paths.entries()) {
    const file = wholeFile(transcript, `builtin_read_${index + 1}`, path);
    if (file.kind === 'call') calls.push(file.call);
    else files.set(path, file.kind === 'text' ? file.text : null);
  }
  return calls.length > 0 ? { calls } : { files };
}

/**
 * The earlier operations that stay. One is dropped when the guidance names its file and either gives the whole content or
 * corrects an operation that does not apply. All others stay, in order.
 */
function withoutReplaced(base: readonly EditForm[], added: readonly EditForm[], files: KnownFiles): EditForm[] {
  const named = new Set(added.flatMap((form) => (form.kind === 'refused' ? [] : operationFiles(form))));
  const rewritten = new Set(added.flatMap((form) => (form.kind === 'write' ? [form.path] : [])));
  return rehearse(base, files).flatMap(({ form, fault }): EditForm[] => {
    // A form that was refused names no file that could be compared: any edit in the guidance stands for it.
    if (form.kind === 'refused') return added.length > 0 ? [] : [form];
    const touched = operationFiles(form);
    if (touched.every((path) => rewritten.has(path))) return [];
    return fault !== null && touched.some((path) => named.has(path)) ? [] : [form];
  });
}

function changesOf(base: readonly EditForm[], kept: readonly EditForm[], added: readonly EditForm[]): string[] {
  if (added.length === 0) return [UNREAD_GUIDANCE];
  const titles = (forms: readonly EditForm[]) =>
    forms.map((form) => (form.kind === 'refused' ? 'a refused form' : operationTitle(form))).join('; ');
  const dropped = base.filter((form) => !kept.includes(form));
  return [
    `By the guidance, added: ${titles(added)}.`,
    ...(dropped.length > 0 ? [`Dropped, because the guidance replaces it: ${titles(dropped)}.`] : []),
  ];
}

const MAX_PLACES = 8;
const EXCERPT_LINES = 12;

interface Place {
  readonly path: string;
  readonly lines: string;
  readonly text: string;
}

interface PlannedHits {
  readonly title: string;
  readonly criteria: readonly string[];
  readonly changes: readonly string[];
  /** What nearly was an edit, each with the words to write. */
  readonly misses: readonly string[];
}

/** A plan for people: where the code index says that the work is likely to be. It cannot be carried out, and says so. */
function planFromHits(request: string, { title, criteria, changes, misses }: PlannedHits): PlanDraft {
  const places = placesIn(request).slice(0, MAX_PLACES);
  const found =
    places.length === 0
      ? 'The code index found no place that fits its words.'
      : 'The code index ranks these places highest for its words.';
  return {
    summary: [
      `"${title}" does not spell out an exact edit.`,
      ...misses,
      `${found} (built-in, no model)`,
      ...changes,
    ].join(' '),
    steps: places.map(({ path, lines, text }, index) => ({
      title: `Look at ${path}, lines ${lines}`,
      detail: `Rank ${index + 1} by words.\n\n${quotation(text)}`,
      files: [path],
    })),
    acceptance_criteria: [...criteria],
    risks: [...misses, MODEL_NEEDED],
    test_strategy: TEST_STRATEGY,
  };
}

function placesIn(request: string): Place[] {
  return allFenced('hit', insideFence('context', request)).flatMap((hit) => {
    const [, path, lines, code = ''] = /^(.+?):(\d+-\d+)(?: in .*)?\n([\s\S]*)$/.exec(hit) ?? [];
    return path === undefined || lines === undefined ? [] : [{ path, lines, text: code }];
  });
}

/** Quoted, which also keeps an edit that a repository's file happens to hold from being read as one of the plan's. */
function quotation(text: string): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  const shown = lines.slice(0, EXCERPT_LINES).map((line) => `> ${line.replaceAll('\r', '')}`);
  return [...shown, ...(lines.length > EXCERPT_LINES ? ['> …'] : [])].join('\n');
}
