export { builtinChoice } from './builtin/builtin-choice.ts';
export { createAgentRunner } from './loop/create-agent-runner.ts';
export { ANSWER_TIMEOUTS, type AnswerTimeouts } from './models/answer-timeouts.ts';
export type { ModelChoice } from './models/model-choice.ts';
export { createEmbedder } from './providers/create-embedder.ts';
export { createModels } from './providers/create-models.ts';
export { baseUrlOf, type ModelAccess, type ModelProvider } from './providers/model-access.ts';
export { embeddingModelProblem, modelNameProblem, parseModelName } from './providers/model-name.ts';
export { type ModelTable, readModelTable } from './providers/model-settings-file.ts';
