import { fenced } from '../roles/fence.ts';
import { readEditForms } from './edit-forms.ts';
import type { EditForm } from './edit-operation.ts';

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
    body: end < 0 ? '' : text.slice(end + 1),
    labels: (fenced('labels', request) ?? '').split('\n').filter((label) => label !== ''),
  };
}

/** The edits that the issue spells out. The title is read by itself, so that it cannot open a block around the body. */
export function issueForms({ title, body }: Pick<IssueText, 'title' | 'body'>): EditForm[] {
  return [...readEditForms(title), ...readEditForms(body)];
}
