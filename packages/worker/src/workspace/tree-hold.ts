import type { IssueId } from '@sluice/core/id';
import type { Workspaces } from '@sluice/core/workspace';

/** The hold of one execution on its working tree. */
export interface TreeHold {
  /** Takes the tree, once. @throws what `Workspaces.hold` throws */
  take(signal: AbortSignal): Promise<void>;
  /** Lets the next execution in. Called when this one is over, so that a wait for the tree ends too. */
  release(): Promise<void>;
}

export function openTreeHold(workspaces: Pick<Workspaces, 'hold'>, issueId: IssueId): TreeHold {
  let held: Promise<() => void> | null = null;
  return {
    async take(signal) {
      held ??= workspaces.hold(issueId, signal);
      await held.catch((error: unknown) => {
        held = null;
        throw error;
      });
    },
    async release() {
      const release = await held?.catch(() => null);
      release?.();
    },
  };
}
