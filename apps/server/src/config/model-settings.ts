import type { Budget } from '@sluice/core/pipeline';
import { modelProviders, modelVariables } from './model-variables.ts';
import type { ValuesOf } from './variable.ts';

/** Stages in which a model works. */
export const modelStages = ['triage', 'plan', 'implement', 'review'] as const;
export type ModelStage = (typeof modelStages)[number];

export type ModelSettings = ReturnType<typeof modelSettings>;

/** The settings of the models, from the values of their variables. */
export function modelSettings(values: ValuesOf<typeof modelVariables>) {
  /** The model of each stage, followed by its fallbacks. */
  const byStage: Readonly<Record<ModelStage, readonly string[]>> = {
    triage: values.MODEL_TRIAGE ?? values.MODEL,
    plan: values.MODEL_PLAN ?? values.MODEL,
    implement: values.MODEL_IMPLEMENT ?? values.MODEL,
    review: values.MODEL_REVIEW ?? values.MODEL,
  };
  const words = {
    triage: values.MODEL_EFFORT_TRIAGE ?? values.MODEL_EFFORT,
    plan: values.MODEL_EFFORT_PLAN ?? values.MODEL_EFFORT,
    implement: values.MODEL_EFFORT_IMPLEMENT ?? values.MODEL_EFFORT,
    review: values.MODEL_EFFORT_REVIEW ?? values.MODEL_EFFORT,
  };
  const budget: Budget = {
    tokens: values.ISSUE_BUDGET_TOKENS,
    cost_usd: values.ISSUE_BUDGET_USD,
    active_ms: values.ISSUE_BUDGET_TIME,
  };
  const isOneModel = byStage.triage.join() === byStage.plan.join() && byStage.plan[0] !== 'builtin';
  return {
    byStage,
    /** How much the models think in a stage; a stage that is missing has the default of each model's family. */
    effort: effortWords(words),
    /** Saves a request. A model that was named for triage is asked apart. */
    plannerTriages: values.MODEL_TRIAGE == null && isOneModel,
    embedding: values.EMBEDDING_MODEL,
    ...endpoints(values),
    settingsFile: values.MODEL_SETTINGS ?? values.MODEL_PRICES,
    timeoutMs: values.MODEL_TIMEOUT,
    budget,
    budgetIsFixed: values.ISSUE_BUDGET_FIXED,
    testRounds: values.TEST_ROUNDS,
    reviewRounds: values.REVIEW_ROUNDS,
  };
}

type ModelProvider = keyof typeof modelProviders;

export const providerList = Object.keys(modelProviders) as readonly ModelProvider[];

/** How each provider is reached. */
type Endpoints = Readonly<Record<ModelProvider, { readonly baseUrl: string | null; readonly apiKey: string | null }>>;

function endpoints(values: ValuesOf<typeof modelVariables>): Endpoints {
  const entries = providerList.map((provider) => {
    const { key, url } = modelProviders[provider];
    const hasVersion = provider !== 'anthropic' && provider !== 'openai';
    return [provider, { baseUrl: hasVersion ? values[url] : withVersion(values[url]), apiKey: values[key] }];
  });
  return Object.fromEntries(entries);
}

type EffortWord = ValuesOf<typeof modelVariables>['MODEL_EFFORT'];

function effortWords(words: Record<ModelStage, EffortWord>) {
  const said = modelStages.flatMap((stage) => {
    const word = words[stage];
    return word === 'default' ? [] : [[stage, word] as const];
  });
  return Object.fromEntries(said) as Partial<Record<ModelStage, Exclude<EffortWord, 'default'>>>;
}

/** Adds the `/v1` of both vendors' paths: other programs accept these two URLs without it. */
function withVersion(baseUrl: string | null): string | null {
  if (baseUrl === null) return null;
  return new URL(baseUrl).pathname === '/' ? `${baseUrl}/v1` : baseUrl;
}

/** A problem for each missing variable: a model without its key would fail only at the first issue. */
export function modelProblems(settings: ModelSettings): string[] {
  const names = [...new Set([...Object.values(settings.byStage).flat(), settings.embedding ?? 'builtin'])];
  return providerList.flatMap((provider) => {
    const model = names.find((name) => name.startsWith(`${provider}/`));
    if (model === undefined) return [];
    const { key, url, ...others } = modelProviders[provider];
    const needs: readonly string[] = 'needs' in others ? others.needs : [key];
    const values = { [key]: settings[provider].apiKey, [url]: settings[provider].baseUrl };
    return needs
      .filter((variable) => values[variable] === null)
      .map((variable) => {
        const { example } = modelVariables[variable as typeof key | typeof url];
        return `${variable}: is required for ${model}, e.g. ${variable}=${example}`;
      });
  });
}
