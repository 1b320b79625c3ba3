import type { Budget } from '@sluice/core';

/** Stages that a model works in. */
export const modelStages = ['triage', 'plan', 'implement', 'review'] as const;
export type ModelStage = (typeof modelStages)[number];

/** Which models work, and how they are reached. */
export interface ModelSettings {
  /** For each stage the models by preference: the first works, the others stand in. */
  readonly byStage: Readonly<Record<ModelStage, readonly string[]>>;
  readonly embedding: string | null;
  readonly anthropic: Endpoint;
  readonly openai: Endpoint;
  readonly compatible: Endpoint;
  /** A JSON file over the table of prices. */
  readonly pricesFile: string | null;
  readonly timeoutMs: number;
  readonly budget: Budget;
  /** Whether nobody may retry an issue with a higher budget. */
  readonly budgetIsFixed: boolean;
  readonly testRounds: number;
  readonly reviewRounds: number;
}

interface Endpoint {
  /** Null: the vendor's own, or none. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
}

interface ReadValues {
  readonly MODEL?: readonly string[];
  readonly MODEL_TRIAGE?: readonly string[];
  readonly MODEL_PLAN?: readonly string[];
  readonly MODEL_IMPLEMENT?: readonly string[];
  readonly MODEL_REVIEW?: readonly string[];
  readonly ANTHROPIC_API_KEY?: string;
  readonly ANTHROPIC_BASE_URL?: string;
  readonly OPENAI_API_KEY?: string;
  readonly OPENAI_BASE_URL?: string;
  readonly MODEL_BASE_URL?: string;
  readonly MODEL_API_KEY?: string;
  readonly MODEL_PRICES?: string;
  readonly MODEL_TIMEOUT?: number;
  readonly EMBEDDING_MODEL?: string;
  readonly ISSUE_BUDGET_TOKENS?: number;
  readonly ISSUE_BUDGET_USD?: number;
  readonly ISSUE_BUDGET_TIME?: number;
  readonly ISSUE_BUDGET_FIXED?: boolean;
  readonly TEST_ROUNDS?: number;
  readonly REVIEW_ROUNDS?: number;
}

const DEFAULT_TOKENS = 2_000_000; // dozens of turns of a large change; a loop that runs away ends within minutes
const DEFAULT_TIMEOUT_MS = 600_000; // a long answer of a slow model on one's own machine takes minutes

/** The settings of the models, out of the variables that were read. */
export function modelSettings(read: ReadValues): ModelSettings {
  const usual = read.MODEL ?? ['builtin'];
  return {
    byStage: {
      triage: read.MODEL_TRIAGE ?? usual,
      plan: read.MODEL_PLAN ?? usual,
      implement: read.MODEL_IMPLEMENT ?? usual,
      review: read.MODEL_REVIEW ?? usual,
    },
    embedding: read.EMBEDDING_MODEL ?? null,
    anthropic: { baseUrl: versioned(read.ANTHROPIC_BASE_URL), apiKey: read.ANTHROPIC_API_KEY ?? null },
    openai: { baseUrl: versioned(read.OPENAI_BASE_URL), apiKey: read.OPENAI_API_KEY ?? null },
    compatible: { baseUrl: read.MODEL_BASE_URL ?? null, apiKey: read.MODEL_API_KEY ?? null },
    pricesFile: read.MODEL_PRICES ?? null,
    timeoutMs: read.MODEL_TIMEOUT ?? DEFAULT_TIMEOUT_MS,
    budget: {
      tokens: read.ISSUE_BUDGET_TOKENS ?? DEFAULT_TOKENS,
      cost_usd: read.ISSUE_BUDGET_USD ?? null,
      active_ms: read.ISSUE_BUDGET_TIME ?? null,
    },
    budgetIsFixed: read.ISSUE_BUDGET_FIXED ?? false,
    testRounds: read.TEST_ROUNDS ?? 3,
    reviewRounds: read.REVIEW_ROUNDS ?? 2,
  };
}

/** Other programs take these two addresses without the version that both vendors' paths begin with. */
function versioned(baseUrl: string | undefined): string | null {
  if (baseUrl === undefined) return null;
  return new URL(baseUrl).pathname === '/' ? `${baseUrl}/v1` : baseUrl;
}

/** What the settings lack, each with the variable that mends it: a model without its key would fail at the first issue. */
export function modelProblems(settings: ModelSettings): string[] {
  const names = [...new Set([...Object.values(settings.byStage).flat(), settings.embedding ?? 'builtin'])];
  const problems: string[] = [];
  const needs = (provider: string) => names.find((name) => name.startsWith(`${provider}/`));
  const anthropic = needs('anthropic');
  if (anthropic !== undefined && settings.anthropic.apiKey === null) {
    problems.push(`ANTHROPIC_API_KEY: is required for ${anthropic}, e.g. ANTHROPIC_API_KEY=YOUR_KEY`);
  }
  const openai = needs('openai');
  if (openai !== undefined && settings.openai.apiKey === null) {
    problems.push(`OPENAI_API_KEY: is required for ${openai}, e.g. OPENAI_API_KEY=YOUR_KEY`);
  }
  const compatible = needs('compatible');
  if (compatible !== undefined && settings.compatible.baseUrl === null) {
    problems.push(`MODEL_BASE_URL: is required for ${compatible}, e.g. MODEL_BASE_URL=http://127.0.0.1:11434/v1`);
  }
  return problems;
}
