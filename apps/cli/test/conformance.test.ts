import { isSoakRun } from '@sluice/testing';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProgram, runProgram } from '../src/program.ts';
import { itConformsToOpenApi } from './it-conforms-to-openapi.ts';
import { type ProxiedService, startProxiedService } from './proxied-service.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const program = createProgram('0.0.0', () => {});
const UUID = '019aa000-0000-7000-8000-000000000001';

/** Every command without subcommands. */
function leaves(command: Command, path: readonly string[] = []): { path: string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ path: [...path], command }];
  return command.commands.flatMap((one) => leaves(one, [...path, one.name()]));
}

const all = leaves(program).map((leaf) => ({ ...leaf, words: leaf.path.join(' ') }));
/** Commands that require a server. `run` does not, and `api` prints also the answer that refuses it. */
const remote = all.filter(
  ({ command, path }) => command.options.some(({ long }) => long === '--url') && path[0] !== 'run' && path[0] !== 'api',
);

/** A call of a command with all that it requires. */
function callOf({ path, command }: (typeof all)[number]): string[] {
  const given = command.registeredArguments.filter(({ required }) => required).map((one) => argument(one.name()));
  const required = command.options
    .filter(({ mandatory }) => mandatory)
    .flatMap(({ long, argChoices: [first] = [] }) => [long ?? '', first ?? UUID]);
  const extra: Record<string, string[]> = {
    login: ['--email', 'a@example.com', '--password-stdin'],
    'issues create': ['--title', 'T', '--repo', UUID],
    'issues edit': ['--title', 'T'],
    'issues import': ['--repo', UUID],
    'issues instruct': ['words'],
    'issues message': ['words'],
    'notifications edit': ['--format', 'slack'],
    'notifications replay': ['--from', '2026-11-20'],
    'budgets set': ['--repo', UUID],
    'members list': ['--repo', UUID],
    'members add': ['--repo', UUID],
    'members remove': ['--repo', UUID],
    'members invite': ['--repo', UUID],
    'members invitations': ['--repo', UUID],
    'members withdraw': ['--repo', UUID],
    'repos show': [UUID],
    'repos edit': [UUID, '--name', 'shop'],
    'sessions end': [UUID],
    'account password': ['--password-stdin'],
    'account delete': ['--password-stdin'],
  };
  const yes = command.options.some(({ long }) => long === '--yes') ? ['--yes'] : [];
  // A name at the code host: anything else would have to be an existing folder.
  if (path.join(' ') === 'repos add') return [...path, 'acme/shop'];
  return [...path, ...given, ...required, ...(extra[path.join(' ')] ?? []), ...yes];
}

/** The standard input of a call: a password, and for a change of it the new one. */
function inputOf({ words }: (typeof all)[number]): string {
  return words === 'account password' ? 'a password\nanother password\n' : 'a password\n';
}

function argument(name: string): string {
  if (name === 'repository-or-number') return '7';
  if (name === 'state') return 'on';
  return name === 'repository' || name === 'issue' || name === 'token' ? UUID : 'words';
}

let terminal: Terminal;
/** The URL of a server without users. */
let proxied: ProxiedService;
let url: string;

beforeAll(async () => {
  terminal = await openTerminal();
  proxied = await startProxiedService(terminal);
  ({ url } = proxied.service);
});

afterAll(async () => {
  await proxied?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
});

const ONE_LINE = /^sluice: [^\n]+\n$/;

/** Runs a command that only prints. A process for each of these calls takes fifty times as long. */
async function inThisProcess(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = ([process.stdout, process.stderr] as const).map((stream) => {
    const written: string[] = [];
    vi.spyOn(stream, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
    return written;
  }) as [string[], string[]];
  try {
    return { code: await runProgram(args, '0.0.0'), stdout: stdout.join(''), stderr: stderr.join('') };
  } finally {
    vi.restoreAllMocks();
  }
}

it('has every documented command', () => {
  const issues =
    'create import list show run approve reject instruct cancel retry delete watch diff log edit message plans steps close-reason';
  const repos = 'add list show edit remove search';
  const words = all.map((leaf) => leaf.words);
  for (const one of issues.split(' ')) expect(words).toContain(`issues ${one}`);
  for (const one of repos.split(' ')) expect(words).toContain(`repos ${one}`);
  for (const one of [
    'serve',
    'login',
    'logout',
    'whoami',
    'sessions list',
    'sessions end',
    'account password',
    'run',
    'demo',
    'doctor',
    'migrate',
    'migrate-to',
    'completion',
    'stats',
  ]) {
    expect(words).toContain(one);
  }
});

describe.each(all)('sluice $words', (leaf) => {
  it('shows examples first, with calls of this command among them', async () => {
    const { code, stdout, stderr } = await inThisProcess([...leaf.path, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Examples:\n {2}\S/);
    expect(stdout.slice(0, stdout.indexOf('Usage:'))).toContain(`sluice ${leaf.words}`);
    expect(stdout).toMatch(new RegExp(`Usage: sluice ${leaf.words}(\\|\\w+)? `));
    expect(stdout).toContain('sluice help environment');
    expect(stdout).not.toContain('\x1b');
  });

  it('refuses an unknown option in one line, with 2', async () => {
    const { code, stdout, stderr } = await inThisProcess([...callOf(leaf), '--hepl']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain("unknown option '--hepl'");
  });
});

// They fail in one place for all: a third of them shows it.
describe.each(remote.filter((_leaf, at) => isSoakRun || at % 3 === 0))('sluice $words, on a server', (leaf) => {
  it('ends with 3 and a hint when the server requires a login, in text and in JSON', async () => {
    for (const json of [[], ['--json']]) {
      const call = [...callOf(leaf), ...json, '--url', url];
      const { code, stdout, stderr } = await terminal.sluice(call, { input: inputOf(leaf) });
      const isLogout = leaf.words === 'logout';
      expect({ code, stdout }, stderr).toEqual({ code: isLogout ? 0 : 3, stdout: '' });
      expect(stderr.split('\n')).toHaveLength(2);
      if (!isLogout && leaf.words !== 'login') expect(stderr).toContain(`sluice login --url ${url}`);
    }
  });

  it('reports an unreachable server in one line, with 1', async () => {
    const call = [...callOf(leaf), '--url', 'http://127.0.0.1:2'];
    const { code, stdout, stderr } = await terminal.sluice(call, { input: inputOf(leaf) });
    expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain('The connection to http://127.0.0.1:2 was refused');
  });
});

itConformsToOpenApi(() => proxied.proxy);
