import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Finding } from '@sluice/core/change';
import type { TouchedTests } from '@sluice/core/pipeline';
import type { ProjectCommands, TestOutput } from '@sluice/core/workspace';
import { detectCommands } from './detect-commands.ts';
import { projectFacts } from './project-facts.ts';

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

interface ThreadRun {
  /** The thread's code. It gets `input` as `workerData` and posts its answer as one message. */
  readonly script: URL;
  readonly name: string;
  readonly input: unknown;
  /** The limit of the heap; the thread ends when it needs more. */
  readonly memoryMb: number;
  /** From the start of the thread to its answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Does one piece of work in a new thread, and ends the thread with its answer, at the timeout, or when the signal is
 * aborted. Work that hangs or runs out of memory does not disturb other work.
 *
 * @throws the signal's reason when aborted; Error when the thread did not answer in time or ended without an answer
 */
export async function runInThread(run: ThreadRun): Promise<unknown> {
  const { script, name, input, memoryMb, timeoutMs, signal } = run;
  signal.throwIfAborted();
  const worker = new Worker(script, {
    name,
    workerData: input,
    env: {}, // nothing in there needs the process's secrets
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const ended = new AbortController();
  worker.once('exit', (code) => ended.abort(new Error(`The thread ${name} ended with code ${code}.`)));
  const timer = setTimeout(
    () => ended.abort(new Error(`The thread ${name} gave no answer in ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    const [answer] = await once(worker, 'message', { signal: AbortSignal.any([signal, ended.signal]) });
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    clearTimeout(timer);
    worker.on('error', () => undefined); // of a thread that is being ended
    await worker.terminate();
  }
}
