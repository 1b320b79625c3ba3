import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../src/program.ts';
import { itKeepsTheDocument } from './it-keeps-the-document.ts';
import { type JudgedService, startJudgedService } from './judged-service.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const program = await createProgram('0.0.0', () => {});
const UUID = '019aa000-0000-7000-8000-000000000001';

/** Every command that does something, by its words. */
function leaves(command: Command, path: readonly string[] = []): { path: string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ path: [...path], command }];
  return command.commands.flatMap((one) => leaves(one, [...path, one.name()]));
}

const all = leaves(program).map((leaf) => ({ ...leaf, words: leaf.path.join(' ') }));
/** Those that speak to a server and nothing else; `run` has a server of its own where none is known. */
const remote = all.filter(
  ({ command, path }) => command.options.some(({ long }) => long === '--url') && path[0] !== 'run',
);

/** A call of a command with whatever it cannot do without. */
function callOf({ path, command }: (typeof all)[number]): string[] {
  const given = command.registeredArguments.filter(({ required }) => required).map((one) => argument(one.name()));
  const required = command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long ?? '', UUID]);
  const extra: Record<string, string[]> = {
    login: ['--email', 'a@example.com', '--password-stdin'],
    'issues create': ['--title', 'T'],
  };
  const yes = command.options.some(({ long }) => long === '--yes') ? ['--yes'] : [];
  // The first is at the code host: any other one would have to be a folder that is there.
  if (path.join(' ') === 'repos add') return [...path, 'acme/shop'];
  return [...path, ...given, ...required, ...(extra[path.join(' ')] ?? []), ...yes];
}

function argument(name: string): string {
  if (name === 'number') return '7';
  return name === 'repository' || name === 'issue' ? UUID : 'words';
}

let terminal: Terminal;
/** Of a server that knows nobody. */
let judged: JudgedService;
let url: string;

beforeAll(async () => {
  terminal = await openTerminal();
  judged = await startJudgedService(terminal);
  ({ url } = judged.service);
});

afterAll(async () => {
  terminal?.[Symbol.dispose]();
  await judged?.[Symbol.asyncDispose]();
});

const ONE_LINE = /^sluice: [^\n]+\n$/;

it('has the commands of the contract', () => {
  const issues = 'create import list show run approve reject instruct cancel retry delete watch diff log';
  const repos = 'add list show remove search';
  const words = all.map((leaf) => leaf.words);
  for (const one of issues.split(' ')) expect(words).toContain(`issues ${one}`);
  for (const one of repos.split(' ')) expect(words).toContain(`repos ${one}`);
  for (const one of [
    'serve',
    'login',
    'logout',
    'whoami',
    'run',
    'demo',
    'doctor',
    'migrate',
    'migrate-to',
    'completion',
  ]) {
    expect(words).toContain(one);
  }
});

describe.each(all)('sluice $words', (leaf) => {
  it('shows examples before anything else, and calls of its own among them', async () => {
    const { code, stdout, stderr } = await terminal.sluice([...leaf.path, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Examples:\n {2}\S/);
    expect(stdout.slice(0, stdout.indexOf('Usage:'))).toContain(`sluice ${leaf.words}`);
    expect(stdout).toContain(`Usage: sluice ${leaf.words} `);
    expect(stdout).not.toContain('\x1b');
  });

  it('refuses an option that there is not, in one line, with 2', async () => {
    const { code, stdout, stderr } = await terminal.sluice([...callOf(leaf), '--hepl']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain("unknown option '--hepl'");
  });
});

describe.each(remote)('sluice $words, to a server', (leaf) => {
  it('ends with 3 where the server wants a login, with how to do that, in text and in JSON', async () => {
    for (const json of [[], ['--json']]) {
      const call = [...callOf(leaf), ...json, '--url', url];
      const { code, stdout, stderr } = await terminal.sluice(call, { input: 'a password\n' });
      const isOver = leaf.words === 'logout';
      expect({ code, stdout }, stderr).toEqual({ code: isOver ? 0 : 3, stdout: '' });
      expect(stderr.split('\n')).toHaveLength(2);
      if (!isOver && leaf.words !== 'login') expect(stderr).toContain(`sluice login --url ${url}`);
    }
  });

  it('says in one line, with 1, that nobody listens', async () => {
    const call = [...callOf(leaf), '--url', 'http://127.0.0.1:2'];
    const { code, stdout, stderr } = await terminal.sluice(call, { input: 'a password\n' });
    expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain('Nobody listens at http://127.0.0.1:2');
  });
});

itKeepsTheDocument(() => judged.judge);
