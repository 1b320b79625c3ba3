import { join } from 'node:path';
import { urlVariableOf } from '@sluice/agents';
import { type BenchModel, InfrastructureError } from '../agent/bench-agent.ts';
import { openModel } from '../agent/open-model.ts';
import { startScriptedEndpoint } from '../economy/scripted-endpoint.ts';
import type { Task } from '../task/task.ts';
import { type ModelRecorder, startModelRecorder } from './model-recorder.ts';
import { solvingScript } from './solving-script.ts';
import type { WorkEnd } from './work-within.ts';

/** The model of a run, as one trial reaches it: through a recorder of its own. */
interface TrialModel extends AsyncDisposable, Pick<ModelRecorder, 'use' | 'isAway'> {
  readonly model: BenchModel;
}

/** Opens the model for one trial of a task. @param folder where the exchanges are kept, in `model.jsonl` */
export type OpenTrialModel = (task: Task, folder: string) => Promise<TrialModel>;

/** The name of the model that carries out each task's solution: it shows that the bench works, without a key. */
export const SCRIPTED = 'scripted';

const EXCHANGES = 'model.jsonl';

/** Opens a configured model, or the scripted one, for each trial. */
export function trialModels(name: string): OpenTrialModel {
  return async (task, folder) => {
    if (name !== SCRIPTED) return await openRecorded(name, folder);
    await using opened = new AsyncDisposableStack();
    const endpoint = opened.use(await startScriptedEndpoint(solvingScript(task)));
    const recorder = opened.use(await startModelRecorder(endpoint.url, join(folder, EXCHANGES)));
    const model = openModel('compatible/scripted', { MODEL_BASE_URL: recorder.url, MODEL_API_KEY: 'scripted' });
    const kept = opened.move();
    return { ...recorder, model, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  };
}

/** A configured model behind a recorder. @param folder where the exchanges are kept, in `model.jsonl` */
export async function openRecorded(name: string, folder: string): Promise<TrialModel> {
  const { provider, url } = openModel(name);
  const recorder = await startModelRecorder(url, join(folder, EXCHANGES));
  const model = openModel(name, { [urlVariableOf(provider)]: recorder.url });
  return { ...recorder, model };
}

/**
 * Checks that a trial did not end because its model was away.
 *
 * @throws InfrastructureError when an agent gave up because its model was away, which says nothing about the agent
 */
export function requireModel({ ended, detail }: WorkEnd, model: TrialModel | null): void {
  if (ended === 'gave_up' && model?.isAway() === true) throw new InfrastructureError(detail);
}
