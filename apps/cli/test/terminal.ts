import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { loadConfig, startServer } from '@sluice/server';
import { builtProgram, freePort, isSoakRun } from '@sluice/testing';
import { type Ended, replaceEnvironment, runHere } from './run-here.ts';

interface How {
  readonly input?: string;
  readonly env?: Record<string, string>;
  /** The working directory; by default the home. */
  readonly cwd?: string;
}

/** A shell without a terminal: it has its own home, and nothing else in its environment. */
export interface Terminal extends Disposable {
  readonly home: string;
  /** Runs the command to its end: in this process, and in the soak run in one of its own. */
  sluice(args: readonly string[], how?: How): Promise<Ended>;
  /** The same with `--json`. @returns the parsed output */
  json<T = Record<string, unknown>>(args: readonly string[], how?: How): Promise<T>;
  /** Runs the command to its end in a process of its own. */
  spawn(args: readonly string[], how?: How): Promise<Ended>;
  /** Starts a process of the command, and leaves it running. */
  start(args: readonly string[], how?: How): Promise<ChildProcess>;
}

export async function openTerminal(): Promise<Terminal> {
  const home = mkdtempSync(join(tmpdir(), 'sluice home '));
  const children: ChildProcess[] = [];
  const environment = (env: Record<string, string> = {}) => ({
    PATH: process.env.PATH,
    HOME: home,
    ...env,
  });
  const inProcess: Terminal['spawn'] = async (args, { input, env, cwd = home } = {}) => {
    const program = await builtProgram('sluice');
    return await new Promise((resolve) => {
      const options = { cwd, env: environment(env), timeout: 300_000, maxBuffer: 64 * 1024 ** 2 };
      const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ code, stdout, stderr });
      });
      child.stdin?.end(input ?? '');
    });
  };
  const here: Terminal['sluice'] = (args, { input, env, cwd = home } = {}) =>
    runHere(args, { cwd, env: environment(env), input });
  const sluice = isSoakRun ? inProcess : here;
  return {
    home,
    sluice,
    async json<T>(args: readonly string[], how?: How) {
      const { code, stdout, stderr } = await sluice([...args, '--json'], how);
      if (code !== 0) throw new Error(`sluice ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    spawn: inProcess,
    async start(args, { env } = {}) {
      const child = spawn(process.execPath, [await builtProgram('sluice'), ...args], {
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

export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
}

const SERVED = { LOG_LEVEL: 'error', ALLOW_LOCAL_REPOS: 'on' };

/** Starts a server in this process. Its data is in the home of the terminal, so it ends before that. */
export async function startService(terminal: Terminal, env: Record<string, string> = {}): Promise<Service> {
  const dataDir = join(terminal.home, 'data');
  const load = () => {
    using _environment = replaceEnvironment({ PATH: process.env.PATH, HOME: terminal.home });
    return loadConfig({ overrides: { ...SERVED, PORT: '0', DATA_DIR: dataDir, ...env } });
  };
  const server = await startServer(load(), { logFile: join(terminal.home, 'sluice.log') });
  return { url: server.url, dataDir, [Symbol.asyncDispose]: () => server.close() };
}

export interface ServiceProcess extends Service {
  /** Kills it, as in a power cut. */
  kill(): Promise<void>;
  /** Restarts it with the same data and URL. */
  restart(): Promise<void>;
}

/** Starts a real server process, as an operator does. */
export async function startServiceProcess(
  terminal: Terminal,
  env: Record<string, string> = {},
): Promise<ServiceProcess> {
  const dataDir = join(terminal.home, 'data');
  const open = async (port: string) => {
    const child = await terminal.start(['serve', '--port', port, '--data-dir', dataDir], {
      env: { ...SERVED, ...env },
    });
    const said = text(child.stderr as never);
    return { child, url: await listening(child, said) };
  };
  let running = await open(String(await freePort())); // one that no other process takes while the server is down
  const { url } = running;
  const kill = async () => {
    const gone = once(running.child, 'exit');
    running.child.kill('SIGKILL');
    await gone;
  };
  return {
    url,
    dataDir,
    kill,
    async restart() {
      running = await open(new URL(url).port);
    },
    [Symbol.asyncDispose]: kill,
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
