import type { HostedName } from './model-name.ts';

/** A family of models that takes pictures, as its vendor documents it. */
interface SeeingFamily {
  readonly provider: HostedName['provider'];
  /** The names of its models. */
  readonly models: RegExp;
  readonly source: string;
  /** When the source was read. */
  readonly date: string;
}

const CLAUDE = 'https://platform.claude.com/docs/en/build-with-claude/vision';
const OPENAI = 'https://developers.openai.com/api/docs/guides/images-vision';

/** Families of which it is known. What a compatible server runs is not. */
const seeingFamilies: readonly SeeingFamily[] = [
  // All from version 3 on.
  { provider: 'anthropic', models: /^claude-(?!2|instant)/, source: CLAUDE, date: '2026-11-29' },
  { provider: 'openai', models: /^gpt-(?:4o|4\.1|[5-9])/, source: OPENAI, date: '2026-11-29' },
  // The small models of o1 and o3 take text alone (https://vercel.com/ai-gateway/models/o4-mini.md, the same day).
  { provider: 'openai', models: /^o(?:1(?!-mini|-preview)|3(?!-mini)|[4-9])/, source: OPENAI, date: '2026-11-29' },
];

/** Whether a model takes pictures, by its family, where MODEL_SETTINGS does not say it (`pictures`). */
export function seesPictures({ provider, model }: HostedName): boolean {
  return seeingFamilies.some((family) => family.provider === provider && family.models.test(model));
}
