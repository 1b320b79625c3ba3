import { readEditForms } from './edit-forms.ts';
import { issueForms } from './issue-text.ts';

interface Work {
  readonly title: string;
  readonly body: string;
  readonly plan: { readonly steps: readonly { readonly detail: string }[] } | null;
}

/** Whether an issue, or the plan that was made for it, spells out edits that the built-in model can carry out. */
export function spellsOutEdits({ title, body, plan }: Work): boolean {
  const planned = plan?.steps.flatMap(({ detail }) => readEditForms(detail)) ?? [];
  return planned.length > 0 || issueForms({ title, body }).forms.length > 0;
}

/** What nearly is an edit in an issue, each as a sentence with the exact words to write. */
export function nearlySpelledOut(issue: Pick<Work, 'title' | 'body'>): readonly string[] {
  return issueForms(issue).misses;
}
