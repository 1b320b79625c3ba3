import { isPriced, modelChoices } from '../compose/open-models.ts';
import { type ModelSettings, modelStages } from '../config/model-settings.ts';
import { StartError } from '../process/start-error.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const HOW_TO_PRICE = 'give it in a JSON file named by MODEL_PRICES (docs/models.md)';

/** Who works in which stage, what an issue may take, and whether that can be told. That their keys are there, the configuration has seen to. */
export function modelFindings(settings: ModelSettings): Finding[] {
  return [ok('models', modelsInWords(settings)), ...priceFindings(settings), ok('budget', budgetInWords(settings))];
}

/** Stages with the same models are named together. */
function modelsInWords({ byStage, embedding }: ModelSettings): string {
  const stagesByModels = Map.groupBy(modelStages, (stage) => inOrder(byStage[stage]));
  const parts = [...stagesByModels].map(([models, stages]) =>
    stages.length === modelStages.length ? models : `${stages.join(', ')}: ${models}`,
  );
  return [...parts, ...(embedding === null ? [] : [`search by meaning: ${embedding}`])].join('; ');
}

function inOrder([first = '', ...standIns]: readonly string[]): string {
  if (first === 'builtin')
    return 'builtin (carries out edits that an issue spells out; MODEL names one that writes code)';
  return standIns.length === 0 ? first : `${first} (standing in: ${standIns.join(', ')})`;
}

function priceFindings(settings: ModelSettings): Finding[] {
  let choices: ReturnType<typeof modelChoices>;
  try {
    choices = modelChoices(settings);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [problem('price', error.message, 'correct the file, or unset MODEL_PRICES')];
  }
  const hosted = new Map(
    Object.values(choices)
      .flat()
      .filter(({ name }) => name !== 'builtin')
      .map((choice) => [choice.name, isPriced(choice)]),
  );
  return [...hosted].map(([name, isKnown]) => (isKnown ? ok('price', `of ${name}: known`) : unpriced(name, settings)));
}

function unpriced(name: string, { budget }: ModelSettings): Finding {
  return budget.cost_usd === null
    ? warning('price', `of ${name}: unknown, so what an issue costs is not shown`, HOW_TO_PRICE)
    : problem(
        'price',
        `of ${name}: unknown, so ISSUE_BUDGET_USD cannot be held and the server does not start`,
        `${HOW_TO_PRICE}, or unset ISSUE_BUDGET_USD`,
      );
}

function budgetInWords({ budget, budgetIsFixed }: ModelSettings): string {
  const { tokens, cost_usd, active_ms } = budget;
  const limits = [
    tokens === null ? [] : [`${tokens.toLocaleString('en-US')} tokens`],
    cost_usd === null ? [] : [`${cost_usd.toFixed(2)} USD`],
    active_ms === null ? [] : [`${Math.round(active_ms / 1_000).toLocaleString('en-US')} s of work`],
  ].flat();
  return `${limits.join(', ')} for an issue${budgetIsFixed ? '' : '; a retry may raise it (ISSUE_BUDGET_FIXED=off)'}`;
}
