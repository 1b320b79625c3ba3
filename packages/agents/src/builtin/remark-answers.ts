import type { RemarkAnswer } from '@sluice/core/pipeline';
import * as z from 'zod';
import { fenced } from '../roles/fence.ts';
import { type EditForm, operationTitle } from './edit-operation.ts';
import { issueText } from './issue-text.ts';
import { planText } from './plan-text.ts';
import { readSpelledForms } from './spelled-forms.ts';
import { writeEditForm } from './write-edit-form.ts';

const lineSchema = z.object({ id: z.string(), url: z.string() });
type Line = z.infer<typeof lineSchema>;

/**
 * How the built-in model answers the remarks that an issue is about, if any: `done` where it carried out all that a remark
 * spells out, and declined otherwise.
 *
 * @returns null where the request has no remarks
 */
export function builtinRemarkAnswers(request: string): RemarkAnswer[] | null {
  const text = fenced('remarks', request);
  if (text === null) return null;
  const lines = text.split('\n').map((line) => lineSchema.parse(JSON.parse(line)));
  const planned = new Set((planText(request)?.forms ?? []).map(asKey));
  const { body } = issueText(request);
  return lines.map((line) => {
    const forms = readSpelledForms(partOf(body, line, lines)).forms.map(({ form }) => form);
    const isDone = forms.length > 0 && forms.every((form) => planned.has(asKey(form)));
    if (!isDone) return { id: line.id, outcome: 'declined', answer: NO_MODEL };
    return { id: line.id, outcome: 'done', answer: `${forms.map(titleOf).join('; ')}.` };
  });
}

const NO_MODEL = 'No model is configured, and this spells out no edit that could be carried out without one.';

/** The part of a follow-up's text that holds one remark: from its heading to the next one, whichever that is. */
function partOf(body: string, { url }: Line, lines: readonly Line[]): string {
  const starts = lines.map((line) => headingEnd(body, line.url)).filter((at) => at >= 0);
  const own = headingEnd(body, url);
  // The text of a review has no heading of its own, and neither has a single comment.
  const start = own >= 0 ? own : body.indexOf('\n---\n') + 1;
  const next = Math.min(...starts.filter((at) => at > start), body.length);
  return body.slice(start, next);
}

function headingEnd(body: string, url: string): number {
  const heading = body.split('\n').find((line) => line.startsWith('Comment on `') && line.endsWith(`: ${url}`));
  return heading === undefined ? -1 : body.indexOf(heading) + heading.length;
}

function asKey(form: EditForm): string {
  return form.kind === 'refused' ? form.reason : writeEditForm(form);
}

function titleOf(form: EditForm): string {
  return form.kind === 'refused' ? 'Refused' : operationTitle(form);
}
