import type { Triage } from '@sluice/core/pipeline';
import { operationFiles } from './edit-operation.ts';
import { type IssueText, issueForms } from './issue-text.ts';
import { markdownBlocks } from './markdown-blocks.ts';

/** First match wins: a bug report that names the README is still a bug report. */
const kindsByWords: readonly (readonly [Triage['kind'], RegExp])[] = [
  [
    'bug',
    /\b(?:bug|fix(?:es|ed)?|broken|crash(?:es|ed)?|wrong(?:ly)?|error|exception|fail(?:s|ed|ing|ure)?|regression|incorrect(?:ly)?|instead of)\b/i,
  ],
  ['refactoring', /\b(?:refactor(?:ing)?|rename|clean ?up|simplify|extract|deduplicate|restructure)\b/i],
  ['feature', /\b(?:add|feature|support|implement|introduce|allow|enhancement|new)\b/i],
  ['docs', /\b(?:docs?|documentation|readme|typo|comment|changelog)\b/i],
  ['chore', /\b(?:chore|upgrade|bump|dependenc(?:y|ies)|ci|lint|format|config(?:uration)?|release)\b/i],
];

const RISKY =
  /\b(?:security|auth(?:entication|orization)?|password|token|secret|payment|billing|migrations?|delet(?:e|es|ing)|encrypt(?:ion)?)\b/i;
const MAX_CRITERIA = 10;
const MANY_FILES = 3;

/** Triage without a model: words decide, so the kind is a hint and says so. */
export function triageByWords(issue: IssueText): Triage {
  const { forms } = issueForms(issue);
  const kind = kindOf(issue);
  const question = 'Which edit exactly? Without a model it has to be spelled out.';
  return {
    kind,
    summary: `${issue.title} (classified as ${kind} by keywords; no model has read it)`,
    acceptance_criteria: acceptanceCriteria(issue),
    risk: riskOf(issue),
    open_questions: forms.length === 0 ? [question] : [],
  };
}

/** Checkboxes, or the list below a heading that says "accept"; else that the title comes true. */
export function acceptanceCriteria({ title, body }: IssueText): string[] {
  const lines = markdownBlocks(body).flatMap((block) => (block.kind === 'line' ? [block.text] : []));
  const boxes = lines.flatMap((line) => /^[-*+]\s+\[[ xX]\]\s+(.+)$/.exec(line)?.[1] ?? []);
  const listed: string[] = [];
  let below = false;
  for (const line of lines) {
    const item = /^(?:[-*+]|\d+[.)])\s+(.+)$/.exec(line)?.[1];
    if (item === undefined) below = /accept/i.test(line);
    else if (below) listed.push(item.replace(/^\[[ xX]\]\s+/, ''));
  }
  const found = listed.length > 0 ? listed : boxes;
  return found.length > 0 ? found.slice(0, MAX_CRITERIA) : [`The issue is resolved: ${title}`];
}

function kindOf({ title, body, labels }: IssueText): Triage['kind'] {
  const prose = markdownBlocks(body).flatMap((block) => (block.kind === 'line' ? [block.text] : []));
  for (const text of [labels.join('\n'), title, prose.join('\n')]) {
    const match = kindsByWords.find(([, words]) => words.test(text));
    if (match !== undefined) return match[0];
  }
  return title.endsWith('?') ? 'question' : 'chore';
}

function riskOf(issue: IssueText): Triage['risk'] {
  const operations = issueForms(issue).forms.flatMap(({ form }) => (form.kind === 'refused' ? [] : [form]));
  const deletes = operations.some((operation) => operation.kind === 'patch' && operation.action === 'delete');
  if (deletes || RISKY.test(`${issue.title}\n${issue.body}`)) return 'high';
  const files = new Set(operations.flatMap(operationFiles));
  return operations.length > 0 && files.size <= MANY_FILES ? 'low' : 'medium';
}
