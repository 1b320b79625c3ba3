import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { fixingIssue, makeBuggyRepo } from '../../apps/server/test/scratch-repo.ts';
import { type ServiceProcess, startProcess } from '../../apps/server/test/service-process.ts';
import { until } from '../../packages/testing/src/index.ts';
import type { Block } from './markdown-page.ts';
import { openNeighbours } from './open-neighbours.ts';
import type { Scene } from './scenes.ts';

/** A reader who runs the commands of a page, with a new home and a server. */
export interface ScratchReader extends AsyncDisposable {
  /** Does one block in the shell that the blocks before it have left. */
  run(block: Block): Promise<{ code: number | null; output: string; expected: RegExp | null }>;
}

interface Machine {
  /** The root of the checkout. */
  readonly checkout: string;
  /** What `npm run build` wrote. */
  readonly built: string;
}

const EMAIL = 'you@example.com';
const PASSWORD = 'a long enough passphrase';
const SHOWN_ID = '0c2d3e4f'; // how the pages name the issue that waits for a decision
const BLOCK_ENDS_WITHIN_MS = 300_000; // a pipeline on a busy machine, and to notice a block that hangs

export async function openScratchReader({ checkout, built }: Machine, scene: Scene): Promise<ScratchReader> {
  const home = mkdtempSync(join(tmpdir(), 'sluice-reader-'));
  const state = join(home, '.shell');
  const dataDir = join(home, 'sluice-data');
  for (const folder of [state, dataDir, join(home, 'bin'), join(home, 'code'), join(home, 'backup')]) mkdirSync(folder);
  symlinkSync(checkout, join(home, 'sluice'));
  symlinkSync(join(built, 'sluice.js'), join(home, 'bin/sluice'));
  renameSync(makeBuggyRepo().path, join(home, 'code/shop'));
  writeFileSync(join(home, 'bug.md'), `${fixingIssue.title}\n\n${fixingIssue.body}`);
  writeFileSync(join(home, 'password'), `${PASSWORD}\n`, { mode: 0o600 });
  writeFileSync(join(state, 'folder'), join(home, scene.startsIn));
  writeFileSync(join(state, 'variables'), '');
  const environment = {
    PATH: `${join(home, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    ...(scene.server === 'stopped' ? { DATA_DIR: dataDir } : {}),
  };

  const neighbours = await openNeighbours(scene.beside);
  Object.assign(environment, neighbours.environment);
  let server: ServiceProcess | null = null;
  const started: ChildProcess[] = [];
  const start = (script: string, { isAtTerminal = false } = {}) => {
    const file = join(state, 'block.sh');
    writeFileSync(file, script);
    const shell = isAtTerminal
      ? ['script', '--quiet', '--return', '--command', `bash ${file}`, '/dev/null']
      : ['bash', file];
    const [program = '', ...args] = shell;
    const child = spawn(program, args, {
      cwd: home,
      env: { ...environment, TERM: isAtTerminal ? 'xterm' : 'dumb' },
      stdio: [isAtTerminal ? 'pipe' : 'ignore', 'pipe', 'inherit'],
      detached: true, // a process group, so that a block can be ended as a whole
    });
    started.push(child);
    return child;
  };

  const read = async (text: string): Promise<string> => {
    let read = text.replaceAll('/mnt/backup', join(home, 'backup'));
    // On a free port, and outside the checkout. A later login uses the server of the scene.
    read = read.replaceAll(/^npm start$/gm, `PORT=0 DATA_DIR=${join(home, 'started')} npm start`);
    read = neighbours.atRealAddresses(read);
    if (server === null) return read.includes(SHOWN_ID) ? read.replaceAll(SHOWN_ID, await waitingIssue()) : read;
    for (const address of ['http://127.0.0.1:3000', 'https://sluice.example.com'])
      read = read.replaceAll(address, server.url);
    return read.includes(SHOWN_ID) ? read.replaceAll(SHOWN_ID, await waitingIssue()) : read;
  };

  /** The end of the id of the newest issue. */
  async function waitingIssue(): Promise<string> {
    const { output } = await ended(start('sluice issues list --json 2>/dev/null'));
    const [newest] = (JSON.parse(output) as { items: { id: string }[] }).items;
    return newest?.id.slice(-8) ?? SHOWN_ID;
  }

  async function prepare(): Promise<void> {
    if (scene.server === 'none') return;
    server = await startProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...neighbours.environment }, [], {
      program: join(built, 'server.js'),
    });
    const login = `sluice login --url ${server.url} --email ${EMAIL} --password-stdin --register < password`;
    const steps = [scene.isLoggedIn ? login : '', scene.hasRepo ? 'sluice repos add ./code/shop' : ''];
    const { code, output } = await ended(start(`exec 2>&1; set -e\n${steps.join('\n')}`));
    if (code !== 0) throw new Error(`The scene could not be set: ${output}`);
    if (scene.server === 'stopped') await server.stop();
  }

  const reader: ScratchReader = {
    async run(block) {
      const { answers, runsUntil } = block.marks;
      const script = `exec 2>&1
source ${state}/variables 2>/dev/null; cd "$(cat ${state}/folder)"
trap '_ended=$?; pwd > ${state}/folder; declare -p | grep -Ev "^declare -[a-zA-Z]*r" > ${state}/variables; exit $_ended' EXIT
set -e
${await read(block.text)}
`;
      const child = start(script, { isAtTerminal: answers !== null });
      const end = runsUntil === null ? await ended(child, answers ?? {}) : await said(child, runsUntil);
      return { ...end, expected: block.output === null ? null : shapeOf(await read(block.output)) };
    },
    async [Symbol.asyncDispose]() {
      for (const child of started) {
        endGroup(child);
        await until('what a block has started has ended', () => isOver(child)); // it writes into the home until then
      }
      await server?.stop();
      await neighbours[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    await prepare();
  } catch (error) {
    await reader[Symbol.asyncDispose]();
    throw error;
  }
  return reader;
}

/** Waits for the end of a block, and types what it asks for. */
async function ended(child: ChildProcess, answers: Readonly<Record<string, string>> = {}) {
  const open = Object.entries(answers);
  let output = '';
  let seen = 0;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += stripVTControlCharacters(text).replaceAll('\r', '');
    const [asked, answer] = open[0] ?? [];
    if (asked === undefined || !output.slice(seen).includes(asked)) return;
    open.shift();
    seen = output.length;
    child.stdin?.write(`${answer}\r`);
  });
  const timer = setTimeout(() => endGroup(child), BLOCK_ENDS_WITHIN_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, output };
}

/** Waits until a block that stays has said this. */
async function said(child: ChildProcess, text: string) {
  let output = '';
  for await (const piece of child.stdout?.setEncoding('utf8') ?? []) {
    output += piece;
    if (output.includes(text)) return { code: 0, output };
  }
  return { code: child.exitCode ?? 1, output };
}

/** Ends a block and what it has left in the background. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has ended meanwhile
  }
}

/** Whether no process of its group runs any more. One that has ended may lie there until somebody asks for its end. */
function isOver({ pid }: ChildProcess): boolean {
  return readdirSync('/proc').every((entry) => {
    if (!/^\d+$/.test(entry)) return true;
    const [state, , group] = afterName(`/proc/${entry}/stat`);
    return group !== String(pid) || state === 'Z' || state === 'X';
  });
}

/**
 * The fields of a process's `stat` behind its name, which may hold anything: its state, its parent, its group and more.
 */
function afterName(file: string): string[] {
  try {
    const text = readFileSync(file, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return []; // it has ended while we looked
  }
}

/** The pattern of an output on a page: `…` stands for anything, blanks at the ends of lines do not count. */
function shapeOf(shown: string): RegExp {
  const parts = shown
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^\\s*${parts.join('[\\s\\S]*?').replaceAll(/[ \t]*\n/g, '[ \\t]*\\n')}\\s*$`);
}
