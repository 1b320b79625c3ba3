import { isSluiceError, type SluiceClient } from '@sluice/client';
import type { IssueWire } from '@sluice/core/issue';
import { nearlySpelledOut, spellsOutEdits } from '@sluice/server/spells-out-edits';
import { modelMissingThere } from '../terminal/model-missing.ts';

/**
 * Refuses an issue that needs a model before it is sent to a server that has none. A server that does not tell its models, as
 * one of an earlier release, says so at the gate.
 *
 * @throws CommandError `modelMissing`
 */
export async function requireServerModel(
  client: SluiceClient,
  issue: Pick<IssueWire, 'title' | 'body'>,
): Promise<void> {
  if (!spellsOutEdits({ ...issue, plan: null }) && (await hasNoModel(client))) {
    throw modelMissingThere(nearlySpelledOut(issue));
  }
}

async function hasNoModel(client: SluiceClient): Promise<boolean> {
  try {
    const { details } = await client.server.get.query();
    return details?.models.implement.builtin === true;
  } catch (error) {
    if (isSluiceError(error) && error.status === 404) return false;
    throw error;
  }
}
