import type { Finding } from '@sluice/core/change';
import type { TouchedTests } from '@sluice/core/pipeline';
import type { ProjectCommands, TestOutput } from '@sluice/core/workspace';
import { detectCommands } from './detect-commands.ts';
import { projectFacts } from './project-facts.ts';
import { runInThread, type ThreadRun } from './run-in-thread.ts';

// A megabyte of output, or the largest change, made to be slow takes a few seconds. The rest is for a busy machine, on which
// a thread starts in seconds.
const TIMEOUT_MS = 30_000;
const MEMORY_MB = 256; // the largest output and all of its lines take half of it

const readTests = { name: 'test-output', script: new URL('./read-tests-thread.ts', import.meta.url) };
const touched = { name: 'touched-tests', script: new URL('./touched-tests-thread.ts', import.meta.url) };
const findings = { name: 'change-findings', script: new URL('./findings-thread.ts', import.meta.url) };

/**
 * Finds how a repository installs itself and runs its tests, by its files, reads what its tests printed, and compares its
 * tests before and after a change.
 *
 * @param options.script the code of the thread that reads, where it is not our own
 */
export function createProjectCommands(
  options: { readonly script?: URL; readonly timeoutMs?: number } = {},
): ProjectCommands {
  const inThread = async (work: Pick<ThreadRun, 'name' | 'script' | 'input' | 'signal'>): Promise<unknown> => {
    const limits = { memoryMb: MEMORY_MB, timeoutMs: TIMEOUT_MS };
    try {
      return await runInThread({ ...limits, ...work, ...options });
    } catch {
      work.signal.throwIfAborted();
      return null;
    }
  };
  return {
    detect: ({ files }) => detectCommands(files),
    facts: ({ files }) => projectFacts(files),
    readTests: async (output, signal) => (await inThread({ ...readTests, input: output, signal })) as TestOutput | null,
    findings: async (change, signal) =>
      (await inThread({ ...findings, input: change, signal })) as readonly Finding[] | null,
    touchedTests: async (files, signal) =>
      (await inThread({ ...touched, input: files, signal })) as TouchedTests | null,
  };
}
