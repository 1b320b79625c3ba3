import { cpSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox, SandboxResult } from '@sluice/core/workspace';
import { InfrastructureError, sandboxFailed } from '../agent/bench-agent.ts';
import { openTree } from '../agent/open-tree.ts';
import { setUp } from '../agent/set-up.ts';
import { runGit, type TaskRepo } from '../repo/task-repo.ts';
import type { Task } from '../task/task.ts';
import { putBackRunner } from './put-back-runner.ts';

export interface Grade {
  /** What the hidden tests gave: 1 is solved. */
  readonly reward: number;
  /** In a sentence, for people. */
  readonly detail: string;
}

/** What a command of a task may use. */
interface Run {
  readonly sandbox: Sandbox;
  readonly task: Task;
  readonly signal: AbortSignal;
}

const HIDDEN = '.bench';

// Runners that look for tests would find the hidden ones a second time in the tree, so they move out of it.
const VERIFY = [
  `mv ${HIDDEN} /tmp/tests`,
  'TESTS_DIR=/tmp/tests REWARD_FILE=/tmp/reward.txt sh /tmp/tests/test.sh',
  `rm -rf ${HIDDEN} && mkdir ${HIDDEN} && cp /tmp/reward.txt ${HIDDEN}/`,
].join('\n');

const MAX_REWARD_BYTES = 64;

/**
 * Tests a patch in a fresh tree at the base: the agent's own tree is never used, so whatever else it holds changes nothing.
 * The hidden tests come into the tree after the patch, and replace what it made of them; so do the base's files that say
 * how tests are run.
 *
 * @param folder an empty one
 * @throws InfrastructureError when the setup fails at the base, or the sandbox does
 */
export async function grade(
  patch: string,
  { repo, folder, ...run }: Run & { readonly repo: TaskRepo; readonly folder: string },
): Promise<Grade> {
  const file = join(folder, 'change.patch');
  writeFileSync(file, patch);
  let refusal: string | null = null;
  let putBack: readonly string[] = [];
  const tree = openTree(repo, join(folder, 'graded'), (open) => {
    try {
      if (patch !== '') {
        runGit(open, 'apply', '--binary', '--whitespace=nowarn', file);
        putBack = putBackRunner(open, run.task);
      }
    } catch (error) {
      refusal = `The patch does not apply: ${error instanceof Error ? error.message : String(error)}`;
    }
    // A file or link of that name in a patch must neither be written through nor end the grading.
    rmSync(join(open, HIDDEN), { recursive: true, force: true });
    cpSync(join(run.task.folder, 'tests'), join(open, HIDDEN), { recursive: true });
  });
  if (refusal !== null) return { reward: 0, detail: refusal };
  try {
    await setUp(tree, { ...run, ...run.task });
  } catch (error) {
    if (patch === '' || !(error instanceof InfrastructureError)) throw error;
    // The change may have broken the setup, or a registry may be away: the base tells which.
    await setUp(openTree(repo, join(folder, 'base-tree')), { ...run, ...run.task });
    return { reward: 0, detail: 'The setup command fails with the change, and not without it.' };
  }
  const result = await runTests(tree, run, VERIFY);
  writeFileSync(join(folder, 'tests.log'), result.output);
  const reward = readReward(join(tree, HIDDEN, 'reward.txt'));
  rmSync(tree, { recursive: true, force: true });
  if (result.endedBy !== 'exit') return { reward: 0, detail: `The tests ended by their limit of ${result.endedBy}.` };
  return { reward, detail: `The hidden tests ${reward >= 1 ? 'pass' : 'fail'}.${noteOf(putBack)}` };
}

const MAX_NAMED = 5;

function noteOf(files: readonly string[]): string {
  if (files.length === 0) return '';
  const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : '';
  return ` The base's version of ${files.slice(0, MAX_NAMED).join(', ')}${more} was put back.`;
}

async function runTests(root: string, { sandbox, task, signal }: Run, command: string): Promise<SandboxResult> {
  const limits = {
    timeoutMs: task.verifierMs,
    memoryBytes: task.memoryBytes,
    diskBytes: task.diskBytes,
    processes: 512,
    fileBytes: task.diskBytes,
    outputBytes: 1_024 ** 2,
  };
  const given = { command, root, gitDir: null, allowHosts: [], owner: 'bench', limits, signal };
  return await sandbox.run(given).catch(sandboxFailed('the tests', signal));
}

/** A command wrote it, so only a small plain file counts. */
function readReward(file: string): number {
  const facts = lstatSync(file, { throwIfNoEntry: false });
  if (facts === undefined || !facts.isFile() || facts.size > MAX_REWARD_BYTES) return 0;
  const reward = Number(readFileSync(file, 'utf8').trim());
  return Number.isFinite(reward) ? reward : 0;
}
