import { Worker } from 'node:worker_threads';
import { AppError } from '@sluice/core/error';
import type { ThreadReply } from './thread-reply.ts';

const MAX_WAITING = 256; // callers await each answer, so more than this is a flood of searches
const CLOSE_TIMEOUT_MS = 5_000;
const START_TIMEOUT_MS = 60_000; // it reads its code: a moment, and seconds on a busy machine

/** The data of the thread is lost, e.g. because its database was rebuilt: work in progress has to start over. */
export class WorkLost extends Error {
  override readonly name = 'WorkLost';
  readonly subject: string;

  constructor(subject: string, reason: string) {
    super(reason);
    this.subject = subject;
  }
}

/** The operations of a thread, by name. `close` is the last one. */
export type Operations = Readonly<Record<string, { readonly in: unknown; readonly out: unknown }>> & {
  readonly close: { readonly in: Record<never, never>; readonly out: null };
};

export interface WorkThreadOptions {
  readonly script: URL;
  readonly name: string;
  /** Begins the sentences for people, e.g. `The code index`. */
  readonly subject: string;
  readonly data?: Readonly<Record<string, string>>;
  /** Called when a damaged database was thrown away, with the reason. */
  readonly onRebuilt?: (reason: string) => void;
  /** How long one call may take before the thread is given up, once that is up. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  readonly operation: string;
  readonly timeoutMs: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * A thread that works for one part of the service. It starts with the first call; when it dies, the calls that wait for it are
 * rejected, and the next call starts another one.
 */
export class WorkThread<O extends Operations> {
  readonly #options: WorkThreadOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  /** Runs while the thread starts. */
  #starting: NodeJS.Timeout | undefined;
  #lastId = 0;
  #closing: Promise<void> | null = null;

  constructor(options: WorkThreadOptions) {
    this.#options = options;
  }

  /**
   * @throws AppError `not_ready` when the thread died, hangs or is flooded; `shutting_down` after `close`
   * @throws WorkLost when what the thread knew is gone
   */
  async call<N extends keyof O & string>(operation: N, input: O[N]['in']): Promise<O[N]['out']> {
    if (this.#closing !== null) throw new AppError('shutting_down');
    if (this.#waiting.size >= MAX_WAITING) throw this.#unready('has too much to do: try again in a moment.');
    return this.#send(operation, input, this.#options.timeoutMs);
  }

  /** Lets what was asked finish, for a few seconds, then ends the thread. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    try {
      await this.#send('close', {}, CLOSE_TIMEOUT_MS);
    } catch {
      // It died or hangs: the file survives both, and the thread is ended below all the same.
    }
    await worker.terminate();
  }

  #send<N extends keyof O & string>(operation: N, input: O[N]['in'], timeoutMs: number): Promise<O[N]['out']> {
    const worker = this.#started();
    const id = ++this.#lastId;
    return new Promise<O[N]['out']>((resolve, reject) => {
      const waiting: Waiting = {
        resolve: (value) => resolve(value as O[N]['out']),
        reject,
        operation,
        timeoutMs,
        timer: undefined,
      };
      this.#waiting.set(id, waiting);
      if (this.#starting === undefined) this.#limit(worker, waiting);
      worker.ref();
      worker.postMessage({ id, operation, input });
    });
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(this.#options.script, {
      name: this.#options.name,
      workerData: this.#options.data ?? {},
      env: {}, // nothing in there needs the process's secrets
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMb },
    });
    worker.on('message', (reply: ThreadReply) => this.#receive(worker, reply));
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('messageerror', (error) => this.#lose(worker, error));
    worker.on('exit', (code) => this.#lose(worker, new Error(`the thread ended with code ${code}`)));
    worker.unref(); // an idle thread does not keep the process alive
    this.#worker = worker;
    this.#starting = setTimeout(
      () => this.#lose(worker, new Error(`it was not up in ${START_TIMEOUT_MS} ms`)),
      START_TIMEOUT_MS,
    );
    return worker;
  }

  /** From now on the time of a call runs. */
  #limit(worker: Worker, waiting: Waiting): void {
    const { operation, timeoutMs } = waiting;
    const late = () => this.#lose(worker, new Error(`no answer to ${operation} in ${timeoutMs} ms`));
    waiting.timer = setTimeout(late, timeoutMs);
  }

  #receive(worker: Worker, reply: ThreadReply): void {
    if ('up' in reply) {
      if (this.#worker !== worker) return; // given up before
      clearTimeout(this.#starting);
      this.#starting = undefined;
      for (const waiting of this.#waiting.values()) this.#limit(worker, waiting);
      return;
    }
    if ('rebuilt' in reply) {
      this.#options.onRebuilt?.(reply.rebuilt);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    if (waiting === undefined) return;
    this.#settle(reply.id, waiting);
    if ('value' in reply) {
      if (reply.spent) this.#lose(worker, new Error('the thread has used itself up'));
      waiting.resolve(reply.value);
    } else if (reply.failure === 'lost') waiting.reject(new WorkLost(this.#options.subject, reply.reason));
    else waiting.reject(this.#unready('could not be read or written.', new Error(reply.reason)));
  }

  #lose(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return; // an event of a thread that was given up before
    this.#worker = null;
    clearTimeout(this.#starting);
    void worker.terminate();
    for (const [id, waiting] of this.#waiting) {
      this.#settle(id, waiting);
      waiting.reject(this.#unready('stopped while it worked; it starts again with the next call.', cause));
    }
  }

  #settle(id: number, waiting: Waiting): void {
    clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker?.unref();
  }

  #unready(what: string, cause?: unknown): AppError {
    return new AppError('not_ready', { detail: `${this.#options.subject} ${what}` }, { cause });
  }
}
