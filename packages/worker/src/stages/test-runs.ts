import { AppError } from '@sluice/core/error';
import type { NewEvent } from '@sluice/core/issue';
import type { TestRun } from '@sluice/core/pipeline';
import type { Checkpoint, Workspace } from '@sluice/core/workspace';
import { runTestCommand, type TestPorts } from '../command/run-test-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { implementationCheckpoint } from '../workspace/implementation-commit.ts';

/** A run of the tests with its output as the sandbox kept it. */
export interface TestedTree {
  readonly run: TestRun;
  readonly output: string;
}

/** A run beside the one that every change gets. */
interface ExtraRun {
  /** The reason for which it is worth its time, for the log. */
  readonly why: string;
  readonly of: 'base' | 'head';
  /** Brings the tree to what is tested. */
  readonly place: (workspace: Workspace, signal: AbortSignal) => Promise<void>;
}

/** The runs of the test command in one attempt of `test`. */
export interface TestRuns {
  readonly change: Checkpoint;
  readonly head: TestedTree;
  /** Runs the tests once more. Null when too little time is left for the stage or the issue, which the log says. */
  extra(extra: ExtraRun): Promise<TestRun | null>;
  /** Restores the change, so that files written by tests never reach the coder. */
  close(): Promise<void>;
}

/** A run that took more than this share of the time that is left could end the stage, whose result is known already. */
const MAX_SHARE = 1 / 4;

/**
 * Tests the committed change: the commit, not the current content of the tree, to which an earlier run may have added. Any
 * further run starts from a tree of its own.
 */
export async function openTestRuns(stage: StageContext<TestPorts>, command: string): Promise<TestRuns> {
  const { deps, execution, signal } = stage;
  const workspace = await stage.workspace();
  const change = await implementationCheckpoint(stage);
  if (change === null) throw new AppError('internal', { detail: 'The implementation left no commit.' });
  const note = (text: string): Promise<unknown> => {
    const event: NewEvent = { type: 'agent.message', data: { agent: 'service', text } };
    return execution.write((lease) => deps.runs.record(lease, [event]));
  };
  await workspace.restore(change, signal);
  const head = await runTestCommand(stage, workspace, { command, of: 'head' });
  let lastMs = head.run.duration_ms;
  return {
    change,
    head,
    async extra({ why, of, place }) {
      if (lastMs > stage.budget.timeLeftMs() * MAX_SHARE) {
        await note(`${why} This is left out: the last run took too much of the time that is left.`);
        return null;
      }
      await note(why);
      await place(workspace, signal);
      const { run } = await runTestCommand(stage, workspace, { command, of });
      lastMs = run.duration_ms;
      return run;
    },
    close: () => workspace.restore(change, signal),
  };
}
