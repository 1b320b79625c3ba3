import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { builtProgram, untilFound } from '@sluice/testing';
import { TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { exitCode } from '../../src/terminal/exit-code.ts';
import { shellWord } from '../../src/terminal/shell-word.ts';
import { itConformsToOpenApi } from '../it-conforms-to-openapi.ts';
import { type ProxiedService, startProxiedService } from '../proxied-service.ts';
import { openTerminal, PASSWORD, type Service, signUp, type Terminal } from '../terminal.ts';

// Usual way: apps/cli/test/remote-commands.test.ts

const TERMINAL = 'script'; // gives a command a terminal, and ends with its exit code; util-linux has it
const ENTER = '\r';
const CTRL_C = '\x03';

let program: string;
let terminal: Terminal;
let proxied: ProxiedService;
let service: Service;
let child: ChildProcess;
let screen: string;
let raw: string;

beforeAll(async () => {
  program = await builtProgram('sluice');
  terminal = await openTerminal();
  proxied = await startProxiedService(terminal);
  ({ service } = proxied);
  using other = await openTerminal();
  await signUp(other, service, 'ada@example.com');
});

afterAll(async () => {
  await proxied?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
});
afterEach(() => void child.kill('SIGKILL'));

/** Runs the command at a terminal. */
function atTerminal(...args: string[]): void {
  screen = '';
  raw = '';
  const command = [process.execPath, program, ...args].map(shellWord).join(' ');
  child = spawn(TERMINAL, ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env.PATH, HOME: terminal.home, TERM: 'xterm', NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    raw += text;
    screen += stripVTControlCharacters(text);
  });
}

async function shows(text: string): Promise<void> {
  await untilFound(() => screen.includes(text));
}

async function ends(): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

it('asks for e-mail and password, and does not show the password', async () => {
  atTerminal('login', '--url', service.url);
  await shows('E-mail');
  child.stdin?.write(`ada@example.com${ENTER}`);
  await shows('Password');
  child.stdin?.write(`${PASSWORD}${ENTER}`);
  await shows('Logged in to');
  expect(await ends()).toBe(exitCode.done);
  expect(raw).not.toContain(PASSWORD);
  for (const word of PASSWORD.split(' ').filter(({ length }) => length > 3)) expect(raw).not.toContain(word);
});

it('asks for a code until one is right where the account has a second factor', async () => {
  using other = await openTerminal();
  await signUp(other, service, 'eve@example.com');
  const begin = ['api', 'POST', '/api/auth/second-factors/totp', '-f', `current_password=${PASSWORD}`];
  const { secret, challenge } = JSON.parse((await other.sluice(begin)).stdout) as Record<string, string>;
  const code = new TOTP({ secret: secret ?? '' }).generate();
  const add = ['-f', `challenge=${challenge}`, '-f', 'name=Phone', '-f', `code=${code}`];
  const { stdout } = await other.sluice(['api', 'POST', '/api/auth/second-factors', ...add]);
  const added = JSON.parse(stdout) as { recovery_codes: string[] };
  atTerminal('login', '--url', service.url, '--email', 'eve@example.com');
  await shows('Password');
  child.stdin?.write(`${PASSWORD}${ENTER}`);
  await shows('Code of the authenticator app, or a recovery code');
  child.stdin?.write(`${code}${ENTER}`); // was used to enroll
  await shows('The code or the passkey is wrong');
  child.stdin?.write(`${added.recovery_codes[0]}${ENTER}`);
  await shows('Logged in to');
  expect(await ends()).toBe(exitCode.done);
});

it('checks the e-mail before it asks for a new password, and asks for that twice', async () => {
  atTerminal('login', '--url', service.url.replace('http://', ''), '--register', '--email', 'uma@');
  await shows('"uma@" is not an e-mail address.');
  expect(await ends()).toBe(exitCode.usage);
  atTerminal('login', '--url', service.url.replace('http://', ''), '--register', '--email', 'uma@example.com');
  await shows('Password');
  child.stdin?.write(`${PASSWORD}${ENTER}`);
  await shows('Password again');
  child.stdin?.write(`another one${ENTER}`);
  await shows('It differs from the first one.');
  child.stdin?.write(`\x15${PASSWORD}${ENTER}`); // Ctrl-U empties the line
  await shows('Logged in to');
  expect(await ends()).toBe(exitCode.done);
});

it('ends with 130 on Ctrl-C without logging in', async () => {
  atTerminal('login', '--url', service.url, '--email', 'ada@example.com');
  await shows('Password');
  child.stdin?.write(CTRL_C);
  expect(await ends()).toBe(exitCode.interrupted);
});

it('asks before it removes, and accepts no for an answer', async () => {
  atTerminal('repos', 'remove', '019aa000-0000-7000-8000-000000000001');
  expect(await ends()).toBe(exitCode.notFound);
  const login = ['login', '--url', service.url, '--email', 'ada@example.com', '--password-stdin'];
  await terminal.sluice(login, { input: PASSWORD });
  const { makeSampleRepo } = await import('../../src/local/sample-repo.ts');
  const added = await terminal.json<{ id: string }>(['repos', 'add', await makeSampleRepo(terminal.home)]);
  atTerminal('repos', 'remove', 'invoice');
  await shows('Remove invoice and its issues?');
  child.stdin?.write(ENTER); // the default is no
  expect(await ends()).toBe(exitCode.declined);
  expect(await terminal.json(['repos', 'show', added.id])).toMatchObject({ name: 'invoice' });
  atTerminal('repos', 'remove', 'invoice');
  await shows('Remove invoice and its issues?');
  child.stdin?.write(`y${ENTER}`);
  expect(await ends()).toBe(exitCode.done);
});

itConformsToOpenApi(() => proxied.proxy);
