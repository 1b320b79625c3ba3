import { concealInvisible, revealInvisible } from '@sluice/core/text';

/**
 * The tags around untrusted text in a prompt. A tag inside the text gets a backslash (`</issue>` becomes `<\/issue>`), so
 * that the text can neither close its fence nor open another. The escape is reversible, because edits that an issue
 * spells out must arrive exactly.
 */
export const fenceTags = [
  'environment',
  'issue',
  'untrusted_comments',
  'labels',
  'instructions',
  'triage',
  'context',
  'hit',
  'plan',
  'plan_summary',
  'plan_criteria',
  'plan_risks',
  'plan_test_strategy',
  'step',
  'step_title',
  'step_files',
  'step_detail',
  'planned_file',
  'guidance',
  'base_moved',
  'note',
  'advice',
  'more_advice',
  'feedback',
  'last_attempt',
  'changed_files',
  'diff',
  'outside_plan',
  'must_fix',
  'to_judge',
  'to_confirm',
  'tests',
  'ran',
  'author_says',
  'attachments',
  'attached_text',
  'remarks',
] as const;

export type FenceTag = (typeof fenceTags)[number];

// Models read a tag despite spaces and zero-width characters in it. `<context.Provider>` is not a tag.
const gap = '[\\s\\p{Cf}]*';
const ours = `\\\\*${gap}(?:/${gap})?(?:${fenceTags.join('|')})(?![\\w.:-])`;
const unescapedTag = new RegExp(`<(?=${ours})`, 'giu');
const escapedTag = new RegExp(`<\\\\(?=${ours})`, 'giu');

/**
 * Text written by people, in which invisible characters are spelled out (`⟦U+200B⟧`), because the approver could not see
 * them. Code stays unchanged, because models copy from it.
 */
const revealed: ReadonlySet<FenceTag> = new Set(['issue', 'untrusted_comments', 'labels']);

/** Untrusted text in its fence. */
export function fence(tag: FenceTag, untrusted: string): string {
  const escaped = untrusted.replaceAll(unescapedTag, '<\\');
  return `<${tag}>\n${revealed.has(tag) ? revealInvisible(escaped) : escaped}\n</${tag}>`;
}

/** Whether a fence leaves a text as it is, so that it can be copied from. */
export function isExactInFence(text: string): boolean {
  return text.search(unescapedTag) < 0;
}

/** Fences inside a fence. The parts must come from `fence` or be trusted text. */
export function fenceAround(tag: FenceTag, parts: readonly string[]): string {
  return `<${tag}>\n${parts.join('\n')}\n</${tag}>`;
}

/** The exact content of the first fence with this tag; null when there is none. */
export function fenced(tag: FenceTag, prompt: string): string | null {
  return allFenced(tag, prompt)[0] ?? null;
}

/** The exact content of each fence with this tag, in order. */
export function allFenced(tag: FenceTag, prompt: string): string[] {
  return insides(tag, prompt).map((inside) =>
    (revealed.has(tag) ? concealInvisible(inside) : inside).replaceAll(escapedTag, '<'),
  );
}

/** The inside of the first fence with this tag, still escaped, for nested fences; '' when there is none. */
export function insideFence(tag: FenceTag, prompt: string): string {
  return insides(tag, prompt)[0] ?? '';
}

/** The insides of all fences with this tag, still escaped. */
export function insides(tag: FenceTag, prompt: string): string[] {
  return [...prompt.matchAll(new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`, 'g'))].map((match) => match[1] ?? '');
}
