export { builtinChoice } from './builtin/builtin-choice.ts';
export { createAgentRunner } from './loop/create-agent-runner.ts';
export type { ModelChoice } from './loop/model-choice.ts';
export { TURN_TIMEOUTS, type TurnTimeouts } from './loop/turn-patience.ts';
export { createEmbedder } from './models/create-embedder.ts';
export { createModels } from './models/create-models.ts';
export { baseUrlOf, type ModelAccess, type ModelProvider } from './models/model-access.ts';
export { embeddingModelProblem, modelNameProblem, parseModelName } from './models/model-name.ts';
export { type PriceTable, readPriceFile } from './models/price-file.ts';
