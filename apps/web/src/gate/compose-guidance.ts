import type { Plan, Triage } from '@sluice/client';

/** The target of a remark: a step, criterion, risk or question by its place, or the whole. `files` is what is attached. */
export type RemarkTarget = 'general' | 'files' | `${'step' | 'criterion' | 'risk' | 'question'}:${number}`;
export type Remarks = Readonly<Partial<Record<RemarkTarget, string>>>;

/** The longest guidance that the server takes, in characters. */
export const MAX_GUIDANCE_LENGTH = 8_000;

interface Subject {
  readonly plan: Pick<Plan, 'steps' | 'acceptance_criteria' | 'risks'> | null;
  readonly triage: Pick<Triage, 'open_questions'> | null;
}

/** All remarks as one text for the planner, in the order of the plan, each under what it is on. */
export function composeGuidance(remarks: Remarks, { plan, triage }: Subject): string {
  const on = (kind: 'step' | 'criterion' | 'risk' | 'question', name: string, titles: readonly string[]) =>
    titles.flatMap((title, index) => {
      const remark = remarks[`${kind}:${index}`]?.trim() ?? '';
      return remark === '' ? [] : [`${name} ${index + 1}, "${shortened(title)}":\n${remark}`];
    });
  const general = remarks.general?.trim() ?? '';
  return [
    ...(general === '' ? [] : [general]),
    ...on('question', 'Answer to question', triage?.open_questions ?? []),
    ...on('step', 'On step', plan?.steps.map(({ title }) => title) ?? []),
    ...on('criterion', 'On acceptance criterion', plan?.acceptance_criteria ?? []),
    ...on('risk', 'On risk', plan?.risks ?? []),
  ].join('\n\n');
}

/** Characters as the server counts them: code points. */
export function lengthOfGuidance(text: string): number {
  return [...text].length;
}

/** How many remarks there are. */
export function countRemarks(remarks: Remarks): number {
  return textsOf(remarks).length;
}

/** The remarks alone, without what they are on. */
export function textsOf(remarks: Remarks): readonly string[] {
  const { files: _, ...texts } = remarks;
  return Object.values(texts).flatMap((text) => (text === undefined || text.trim() === '' ? [] : [text]));
}

const MAX_TITLE_LENGTH = 120; // enough to know it again; the planner has its own plan before it

function shortened(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line.length > MAX_TITLE_LENGTH ? `${line.slice(0, MAX_TITLE_LENGTH - 1)}…` : line;
}
