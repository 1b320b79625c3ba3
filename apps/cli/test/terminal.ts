import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { builtProgram, freePort } from '@sluice/testing';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface How {
  readonly input?: string;
  readonly env?: Record<string, string>;
  /** The working directory; by default the home. */
  readonly cwd?: string;
}

/** A shell without a terminal: it has its own home, and nothing else in its environment. */
export interface Terminal extends Disposable {
  readonly home: string;
  /** Runs the real command to its end. */
  sluice(args: readonly string[], how?: How): Promise<Ended>;
  /** The same with `--json`. @returns the parsed output */
  json<T = Record<string, unknown>>(args: readonly string[], how?: How): Promise<T>;
  /** Starts it, and leaves it running. */
  start(args: readonly string[], how?: How): ChildProcess;
}

export async function openTerminal(): Promise<Terminal> {
  const program = await builtProgram('sluice');
  const home = mkdtempSync(join(tmpdir(), 'sluice home '));
  const children: ChildProcess[] = [];
  const environment = (env: Record<string, string> = {}) => ({
    PATH: process.env.PATH,
    HOME: home,
    ...env,
  });
  const sluice: Terminal['sluice'] = (args, { input, env, cwd = home } = {}) =>
    new Promise((resolve) => {
      const options = { cwd, env: environment(env), timeout: 300_000, maxBuffer: 64 * 1024 ** 2 };
      const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ code, stdout, stderr });
      });
      child.stdin?.end(input ?? '');
    });
  return {
    home,
    sluice,
    async json<T>(args: readonly string[], how?: How) {
      const { code, stdout, stderr } = await sluice([...args, '--json'], how);
      if (code !== 0) throw new Error(`sluice ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    start(args, { env } = {}) {
      const child = spawn(process.execPath, [program, ...args], {
        cwd: home,
        env: environment(env),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      children.push(child);
      return child;
    },
    [Symbol.dispose]() {
      for (const child of children) child.kill('SIGKILL');
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface Service {
  readonly url: string;
  readonly dataDir: string;
  /** Kills it, as in a power cut. */
  kill(): Promise<void>;
  /** Restarts it with the same data and URL. */
  restart(): Promise<void>;
}

/** Starts a real server process, as an operator does. */
export async function startService(terminal: Terminal, env: Record<string, string> = {}): Promise<Service> {
  const dataDir = join(terminal.home, 'data');
  const open = async (port: string) => {
    const child = terminal.start(['serve', '--port', port, '--data-dir', dataDir], {
      env: { LOG_LEVEL: 'error', ALLOW_LOCAL_REPOS: 'on', ...env },
    });
    const said = text(child.stderr as never);
    return { child, url: await listening(child, said) };
  };
  let running = await open(String(await freePort())); // one that no other process takes while the server is down
  const { url } = running;
  return {
    url,
    dataDir,
    async kill() {
      const gone = once(running.child, 'exit');
      running.child.kill('SIGKILL');
      await gone;
    },
    async restart() {
      running = await open(new URL(url).port);
    },
  };
}

async function listening(child: ChildProcess, log: Promise<string>): Promise<string> {
  if (child.stdout === null) throw new Error('The process has no stdout.');
  let said = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    said += chunk;
    const url = /^Sluice listens on (\S+)$/m.exec(said)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`The server ended before it was listening: ${await log}`);
}

export const PASSWORD = 'a long enough passphrase';

/** Registers an account and logs the terminal in with it. */
export async function signUp(terminal: Terminal, { url }: Pick<Service, 'url'>, email: string): Promise<void> {
  const login = ['login', '--url', url, '--email', email, '--password-stdin', '--register'];
  const { code, stderr } = await terminal.sluice(login, { input: `${PASSWORD}\n` });
  if (code !== 0) throw new Error(stderr);
}
