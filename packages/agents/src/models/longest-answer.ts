import type { ModelChoice } from './model-choice.ts';

const WINDOW_SHARE = 0.25; // the question needs most of the window

/** The most tokens that one answer may have: what is set, within a share of the window; null: what the provider allows. */
export function longestAnswer({
  contextTokens,
  maxOutputTokens,
}: Pick<ModelChoice, 'contextTokens' | 'maxOutputTokens'>): number | null {
  if (contextTokens === null || maxOutputTokens === null) return maxOutputTokens;
  return Math.min(maxOutputTokens, Math.ceil(WINDOW_SHARE * contextTokens));
}
