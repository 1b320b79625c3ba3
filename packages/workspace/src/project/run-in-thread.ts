import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface ThreadRun {
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
