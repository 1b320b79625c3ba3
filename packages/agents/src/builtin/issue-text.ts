import { fenced } from '../tools/fence.ts';
import { isNearMiss, linesOf } from './near-miss.ts';
import { readSpelledForms, type SpelledForm, type SpelledForms } from './spelled-forms.ts';

export interface IssueText {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

/** The issue as the prompt holds it: its first line is the title. */
export function issueText(request: string): IssueText {
  const text = fenced('issue', request) ?? '';
  const end = text.indexOf('\n');
  return {
    title: (end < 0 ? text : text.slice(0, end)).trim(),
    // Behind the blank line that sets the title apart, so that its lines count as the person sees them.
    body: end < 0 ? '' : text.slice(end + 1).replace(/^\n/, ''),
    labels: (fenced('labels', request) ?? '').split('\n').filter((label) => label !== ''),
  };
}

/**
 * The edits that the issue spells out. The title is read by itself, so that it cannot open a block around the body. What the
 * title says and the body repeats is one edit.
 */
export function issueForms({ title, body }: Pick<IssueText, 'title' | 'body'>): SpelledForms {
  const inTitle = readSpelledForms(title);
  const inBody = readSpelledForms(body);
  const repeated = new Set(inBody.forms.map(asKey));
  const misses = inTitle.misses.filter(isNearMiss).map((miss) => miss.replace(/^Line \d+/, 'The title'));
  return {
    forms: [...inTitle.forms.filter((form) => !repeated.has(asKey(form))), ...inBody.forms],
    misses: [...misses, ...linesOf(inBody.misses, 'below the title')],
  };
}

function asKey({ form }: SpelledForm): string {
  return JSON.stringify(form);
}
