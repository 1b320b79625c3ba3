import type { IssueWire } from '@sluice/core/issue';
import { MODEL_NEEDED } from '@sluice/core/pipeline';
import type { LocalModel } from '../../local/local-model.ts';
import type { LocalFolder } from '../../local/open-local-folder.ts';
import { CommandError, exitCode } from '../../terminal/exit-code.ts';
import { modelMissingHere } from '../../terminal/model-missing.ts';

/**
 * Refuses to approve a plan that would end in `failed`. The process that works on the issue decides by its own model, not
 * by the one that is configured for this command.
 *
 * @throws CommandError `modelMissing` without the model that is needed, `waitsForApproval` when the plan cannot be carried out
 */
export function refuseHopelessApproval(
  issue: Pick<IssueWire, 'title' | 'body' | 'plan' | 'gate'>,
  { model, folder }: { readonly model: LocalModel; readonly folder: Pick<LocalFolder, 'isHeldElsewhere'> },
): void {
  if (!folder.isHeldElsewhere()) model.requireFor(issue);
  const blocker = issue.gate?.blocker ?? null;
  if (blocker === null) return;
  if (blocker === MODEL_NEEDED && !model.isConfigured) throw modelMissingHere();
  throw new CommandError(exitCode.waitsForApproval, `The plan was not approved. ${blocker}`);
}
