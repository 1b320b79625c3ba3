import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { patchOf } from '../repo/task-repo.ts';
import type { Task } from '../task/task.ts';
import { type BenchAgent, InfrastructureError, sandboxFailed } from './bench-agent.ts';
import { openTree } from './open-tree.ts';

const MIB = 1_024 ** 2;
const SOLVE_MS = 120_000;

/** Does nothing. A run in which it solves a task measures nothing. */
export const noopAgent: BenchAgent = {
  name: 'noop',
  usesModel: false,
  promptHash: null,
  work: async () => ({ ended: 'done', detail: 'It changed nothing.', patch: '', costUsd: 0 }),
};

/** Runs the task's own solution. A run in which it fails a task measures the task or the machine. */
export function oracleAgent(task: Task): BenchAgent {
  return {
    name: 'oracle',
    usesModel: false,
    promptHash: null,
    async work({ repo, folder, sandbox, signal }) {
      const tree = openTree(repo, join(folder, 'tree'), (open) => {
        cpSync(join(task.folder, 'solution'), join(open, '.solution'), { recursive: true });
      });
      const limits = { timeoutMs: SOLVE_MS, memoryBytes: 1_024 * MIB, processes: 128 };
      const sizes = { fileBytes: 256 * MIB, diskBytes: 512 * MIB, outputBytes: MIB };
      const command = {
        command: 'SOLUTION_DIR="$PWD/.solution" sh .solution/solve.sh; code=$?; rm -rf .solution; exit $code',
        root: tree,
        gitDir: null,
        allowHosts: [],
        owner: 'bench',
        limits: { ...limits, ...sizes },
        signal,
      };
      const result = await sandbox.run(command).catch(sandboxFailed('the solution', signal));
      if (result.exitCode !== 0)
        throw new InfrastructureError(`The solution does not run: ${result.output.slice(-500)}`);
      return { ended: 'done', detail: 'The solution of the task.', patch: patchOf(repo, tree), costUsd: 0 };
    },
  };
}
