import { join } from 'node:path';
import type { BenchModel } from '../agent/bench-agent.ts';
import { openModel } from '../agent/open-model.ts';
import { startScriptedEndpoint } from '../economy/scripted-endpoint.ts';
import type { Task } from '../task/task.ts';
import { type ModelUse, startModelRecorder } from './model-recorder.ts';
import { solvingScript } from './solving-script.ts';

/** The model of a run, as one trial reaches it: through a recorder of its own. */
interface TrialModel extends AsyncDisposable {
  readonly model: BenchModel;
  use(): ModelUse;
}

/** @param folder where the exchanges are kept, in `model.jsonl` */
export type OpenTrialModel = (task: Task, folder: string) => Promise<TrialModel>;

/** The name of the model that carries out each task's solution: it shows that the bench works, without a key. */
export const SCRIPTED = 'scripted';

const urlVariables = {
  anthropic: 'ANTHROPIC_BASE_URL',
  openai: 'OPENAI_BASE_URL',
  compatible: 'MODEL_BASE_URL',
} as const;

/** Opens a configured model, or the scripted one, for each trial. */
export function trialModels(name: string): OpenTrialModel {
  return async (task, folder) => {
    await using opened = new AsyncDisposableStack();
    const file = join(folder, 'model.jsonl');
    const isScripted = name === SCRIPTED;
    const target = isScripted ? opened.use(await startScriptedEndpoint(solvingScript(task))).url : openModel(name).url;
    const recorder = opened.use(await startModelRecorder(target, file));
    const model = isScripted
      ? openModel('compatible/scripted', { MODEL_BASE_URL: recorder.url, MODEL_API_KEY: 'scripted' })
      : openModel(name, { [urlVariables[openModel(name).provider]]: recorder.url });
    const kept = opened.move();
    return { model, use: recorder.use, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  };
}
