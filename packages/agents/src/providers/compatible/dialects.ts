import type { RequestForm } from './request-form.ts';

/** Where the servers of a vendor, or those of a model's family, want another form of requests. */
interface Dialect {
  /** Hosts that speak it, with their subdomains. */
  readonly hosts?: readonly string[];
  /** Names of models that want it wherever they are served, unless the host has a dialect of its own. */
  readonly family?: RegExp;
  readonly form: Partial<RequestForm>;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
}

/** The names that `dialect` in MODEL_SETTINGS takes. */
export const dialectNames = [
  'standard',
  'deepseek',
  'kimi',
  'groq',
  'cerebras',
  'vllm',
  'openrouter',
  'gemini',
  'mistral',
] as const;

export type DialectName = (typeof dialectNames)[number];

/** What differs between servers. What they send is sent back to them as it came, unless a row says otherwise. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  standard: { form: {}, source: 'https://github.com/vercel/ai/pull/14950', read: '2026-11-29' },
  deepseek: {
    hosts: ['api.deepseek.com'],
    family: /deepseek/i,
    form: { missingThoughts: 'empty' },
    source: 'https://api-docs.deepseek.com/guides/thinking_mode',
    read: '2026-11-29',
  },
  kimi: {
    hosts: ['api.moonshot.ai', 'api.moonshot.cn', 'api.kimi.com'],
    family: /kimi/i,
    form: { missingThoughts: 'empty' },
    source: 'https://github.com/HKUDS/nanobot/pull/2598',
    read: '2026-11-29',
  },
  groq: {
    hosts: ['api.groq.com'],
    form: { replay: 'nothing' },
    source: 'https://github.com/tashfeenahmed/freellmapi/issues/1070',
    read: '2026-11-29',
  },
  cerebras: {
    hosts: ['api.cerebras.ai'],
    form: { replay: 'nothing' },
    source: 'https://github.com/Kilo-Org/kilocode/issues/10375',
    read: '2026-11-29',
  },
  vllm: {
    form: { thoughts: 'reasoning' },
    source: 'https://docs.vllm.ai/en/stable/features/reasoning_outputs/',
    read: '2026-11-29',
  },
  openrouter: {
    hosts: ['openrouter.ai'],
    form: {},
    source: 'https://github.com/RooCodeInc/Roo-Code/pull/9506',
    read: '2026-11-29',
  },
  gemini: {
    // Earlier models sign nothing that they want back.
    family: /gemini-(?:[3-9]|[1-9]\d)/i,
    form: { missingSignatures: 'placeholder' },
    source: 'https://github.com/elastic/kibana/pull/243463',
    read: '2026-11-29',
  },
  mistral: {
    hosts: ['api.mistral.ai'],
    form: { callIds: 'nine', without: ['stream_options'] },
    source:
      'https://github.com/openai/openai-agents-python/issues/442 and https://github.com/anomalyco/opencode/issues/1680',
    read: '2026-11-29',
  },
};

/** The dialect of a model: the one that is set, else that of its server's host, else that of its family. */
export function dialectOf({
  dialect,
  baseUrl,
  model,
}: {
  readonly dialect: DialectName | undefined;
  readonly baseUrl: string;
  readonly model: string;
}): DialectName {
  if (dialect !== undefined) return dialect;
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const speaks = (name: DialectName) => dialects[name].hosts?.some((one) => host === one || host.endsWith(`.${one}`));
  return dialectNames.find(speaks) ?? dialectNames.find((name) => dialects[name].family?.test(model)) ?? 'standard';
}
