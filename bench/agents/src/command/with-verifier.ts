import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { taskProblem } from '../run/task-problem.ts';
import type { Task } from '../task/task.ts';

type VerifyTask = (task: Task, progress: (what: string) => void) => Promise<string | null>;

/** Makes tasks with a check of each that really runs its tests, in a folder that is removed behind them. */
export async function withVerifier<Made>(
  make: (verify: VerifyTask) => Promise<Made>,
  signal = new AbortController().signal,
): Promise<Made> {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-verify-'));
  try {
    return await make((task, progress) => taskProblem(task, { scratch, signal, progress }));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
