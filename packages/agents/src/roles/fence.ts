import { concealInvisible, revealInvisible } from '@sluice/core';

/**
 * Untrusted text stands in a prompt between a pair of these tags. A tag of ours inside such text gets a backslash
 * (`</issue>` becomes `<\/issue>`), so that text cannot end its own fence, nor open another. It can be undone
 * exactly: edits that an issue spells out must come through to the letter.
 */
export const fenceTags = [
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
  'guidance',
  'base_moved',
  'note',
  'advice',
  'feedback',
  'changed_files',
  'diff',
  'outside_plan',
  'must_mend',
  'to_judge',
  'tests',
] as const;

export type FenceTag = (typeof fenceTags)[number];

// Spaces and characters without width may stand in it: a model reads a tag all the same. `<context.Provider>` is none.
const gap = '[\\s\\p{Cf}]*';
const ours = `\\\\*${gap}(?:/${gap})?(?:${fenceTags.join('|')})(?![\\w.:-])`;
const unescapedTag = new RegExp(`<(?=${ours})`, 'giu');
const escapedTag = new RegExp(`<\\\\(?=${ours})`, 'giu');

/**
 * Text of people, in which characters that nobody sees are spelled out (`⟦U+200B⟧`): whoever approved the work has read
 * past them. Code stays as it is, because it is copied from.
 */
const revealed: ReadonlySet<FenceTag> = new Set(['issue', 'untrusted_comments', 'labels']);

/** Untrusted text in its fence. */
export function fence(tag: FenceTag, untrusted: string): string {
  const escaped = untrusted.replaceAll(unescapedTag, '<\\');
  return `<${tag}>\n${revealed.has(tag) ? revealInvisible(escaped) : escaped}\n</${tag}>`;
}

/** Fences inside a fence. The parts must come from `fence` or be our own words. */
export function fenceAround(tag: FenceTag, parts: readonly string[]): string {
  return `<${tag}>\n${parts.join('\n')}\n</${tag}>`;
}

/** What stands in the first fence of this tag, to the letter; null when there is none. */
export function fenced(tag: FenceTag, prompt: string): string | null {
  return allFenced(tag, prompt)[0] ?? null;
}

/** What stands in each fence of this tag, in order, to the letter. */
export function allFenced(tag: FenceTag, prompt: string): string[] {
  return insides(tag, prompt).map((inside) =>
    (revealed.has(tag) ? concealInvisible(inside) : inside).replaceAll(escapedTag, '<'),
  );
}

/** The inside of the first fence of this tag, still escaped, for fences inside a fence; '' when there is none. */
export function insideFence(tag: FenceTag, prompt: string): string {
  return insides(tag, prompt)[0] ?? '';
}

/** The insides of all fences of this tag, still escaped. */
export function insides(tag: FenceTag, prompt: string): string[] {
  return [...prompt.matchAll(new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`, 'g'))].map((match) => match[1] ?? '');
}
