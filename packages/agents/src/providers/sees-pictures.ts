import type { HostedName } from './model-name.ts';

/**
 * Whether a model takes pictures, by its family, where MODEL_SETTINGS does not say it (`pictures`). Claude does from version 3 on,
 * OpenAI's models from GPT-4o on, but for the small ones of o1 and o3. What a compatible server runs is not known.
 */
export function seesPictures({ provider, model }: HostedName): boolean {
  if (provider === 'anthropic') return /^claude-(?!2|instant)/.test(model);
  return provider === 'openai' && /^(?:gpt-4o|gpt-4\.1|gpt-[5-9]|o1(?!-mini|-preview)|o3(?!-mini)|o[4-9])/.test(model);
}
