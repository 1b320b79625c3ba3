import type { IssueWire } from '@sluice/core/issue';
import { hasCodingModel, lacksModel } from '@sluice/server';
import { nearlySpelledOut } from '@sluice/server/spells-out-edits';
import { modelMissingHere } from '../terminal/model-missing.ts';
import { type GivenConfiguration, localOptions } from './local-server.ts';

/** What a run in this process knows of its model. */
export interface LocalModel {
  /** Whether a model is configured that writes code. */
  readonly isConfigured: boolean;
  /** @throws CommandError `modelMissing` when the work needs a model, and none is configured */
  requireFor(work: Pick<IssueWire, 'title' | 'body'> & { readonly plan: IssueWire['plan'] }): void;
}

export function localModel(configuration: GivenConfiguration): LocalModel {
  const options = localOptions(configuration);
  return {
    isConfigured: hasCodingModel(options),
    requireFor: (work) => {
      if (lacksModel(options, work)) throw modelMissingHere(nearlySpelledOut(work));
    },
  };
}
