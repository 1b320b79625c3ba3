import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { untilFound } from '@sluice/testing';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { exitCode } from '../src/exit-code.ts';
import { shellWord } from '../src/shell-word.ts';
import { itKeepsTheDocument } from './it-keeps-the-document.ts';
import { type Judge, startJudge } from './judge.ts';

vi.setConfig({ testTimeout: 120_000 }); // a real pipeline at a real terminal, on a machine that may be busy

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const TERMINAL = 'script'; // gives a command a terminal, and ends with its exit code; util-linux has it
const ENTER = '\r';
const DOWN = '\x1b[B';
const CTRL_C = '\x03';
const QUESTION = 'What shall happen with this plan?';

let judge: Judge;
let home: string;
let child: ChildProcess;
let screen: string;
let seen: number;

beforeAll(async () => {
  judge = await startJudge();
});

afterAll(() => judge?.[Symbol.asyncDispose]());

afterEach(() => {
  child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

/** Runs the sample at a terminal. */
function runDemo(): void {
  home = mkdtempSync(join(tmpdir(), 'sluice prompt '));
  screen = '';
  seen = 0;
  const command = [process.execPath, MAIN, 'demo'].map(shellWord).join(' ');
  child = spawn(TERMINAL, ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env.PATH, HOME: home, TERM: 'xterm', NO_COLOR: '1', ...judge.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    screen += stripVTControlCharacters(text);
  });
}

/** Waits for `text` after what was waited for before. */
async function shows(text: string): Promise<void> {
  await untilFound(() => screen.includes(text, seen));
  seen = screen.indexOf(text, seen) + text.length;
}

function types(...keys: string[]): void {
  for (const key of keys) child.stdin?.write(key);
}

async function ends(): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

it('shows the plan and why it asks, and approves by one key', async () => {
  runDemo();
  await shows('Plan, revision 1');
  await shows('Why you are asked');
  await shows('No code is written before a person has approved the plan.');
  await shows(QUESTION);
  types(ENTER);
  await shows('Look at it:');
  expect(await ends()).toBe(exitCode.done);
});

it('plans anew with what the person says, and ends with 8 when he rejects that', async () => {
  runDemo();
  await shows(QUESTION);
  types(DOWN, ENTER);
  await shows('What should be different?');
  types(ENTER); // nothing said: it asks again
  await shows('Say what to change.');
  types('Leave the API as it is.', ENTER);
  await shows('Plan, revision 2');
  await shows('Leave the API as it is.');
  await shows(QUESTION);
  types(DOWN, DOWN, ENTER);
  await shows('Ended as rejected');
  expect(await ends()).toBe(exitCode.declined);
});

it('ends with 130 at Ctrl-C in the question, and leaves the terminal usable', async () => {
  runDemo();
  await shows(QUESTION);
  types(CTRL_C);
  await shows('Interrupted.');
  expect(await ends()).toBe(exitCode.interrupted);
});

itKeepsTheDocument(() => judge);
