import { Readable } from 'node:stream';
import { runProgram } from '../src/program.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string | undefined;
}

const MAX_RUN_MS = 300_000;

let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs the command in this process, which takes a hundredth of the time that a process takes to start: with this
 * environment and folder, without a terminal, and with `input` on stdin. One at a time, because a process has each of
 * these once. What tests the process itself (signals, exits, what Node reads at its start) starts one.
 */
export async function runHere(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
  const running = previous.then(() => runAlone(args, surroundings));
  previous = running.catch(() => undefined);
  return await running;
}

async function runAlone(args: readonly string[], { cwd, env, input = '' }: Surroundings): Promise<Ended> {
  using written = captureOutput();
  using _input = replaceStdin(input);
  using _environment = replaceEnvironment(env);
  using _folder = changeFolder(cwd);
  const code = await endOf(runProgram(args, '0.0.0'), args);
  return { code, stdout: written.of('stdout'), stderr: written.of('stderr') };
}

/** @throws when it hangs: the next one would wait for it */
async function endOf(running: Promise<number>, args: readonly string[]): Promise<number> {
  const hangs = Promise.withResolvers<never>();
  const timer = setTimeout(() => hangs.reject(new Error(`sluice ${args.join(' ')} did not end.`)), MAX_RUN_MS);
  try {
    return await Promise.race([running, hangs.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function captureOutput() {
  const texts = { stdout: '', stderr: '' };
  const streams = ['stdout', 'stderr'] as const;
  const originals = streams.map((name) => process[name].write);
  for (const name of streams) {
    process[name].write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
      texts[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const done = rest.find((one) => typeof one === 'function');
      if (done !== undefined) process.nextTick(done);
      return true;
    };
  }
  return {
    of: (name: keyof typeof texts) => texts[name],
    [Symbol.dispose]() {
      for (const [at, name] of streams.entries()) process[name].write = originals[at] as typeof process.stdout.write;
    },
  };
}

function replaceStdin(input: string): Disposable {
  const original = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false });
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  return {
    [Symbol.dispose]() {
      stdin.destroy();
      Object.defineProperty(process, 'stdin', original);
    },
  };
}

/** For the time of a call; also for what reads the environment when it starts. */
export function replaceEnvironment(env: Surroundings['env']): Disposable {
  const original = { ...process.env };
  set(env);
  return { [Symbol.dispose]: () => set(original) };

  function set(wanted: Surroundings['env']) {
    for (const name of Object.keys(process.env)) if (wanted[name] === undefined) delete process.env[name];
    for (const [name, value] of Object.entries(wanted)) if (value !== undefined) process.env[name] = value;
  }
}

function changeFolder(cwd: string): Disposable {
  const original = process.cwd();
  process.chdir(cwd);
  return { [Symbol.dispose]: () => process.chdir(original) };
}
