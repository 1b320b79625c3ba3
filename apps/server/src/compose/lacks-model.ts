import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import { spellsOutEdits } from './spells-out-edits.ts';

/** Whether no model is configured to write code, and `work` spells out no edit, so that it cannot succeed. */
export function lacksModel(options: LoadConfigOptions, work: Parameters<typeof spellsOutEdits>[0]): boolean {
  return !hasCodingModel(options) && !spellsOutEdits(work);
}

/** Whether a model is configured to write code. */
export function hasCodingModel(options: LoadConfigOptions): boolean {
  return loadConfig(options).models.byStage.implement[0] !== 'builtin';
}
