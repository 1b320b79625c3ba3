import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { completeValue } from '../src/command/complete-value.ts';
import { findCommand } from '../src/command/find-command.ts';
import { createProgram, runProgram } from '../src/program.ts';
import { confirm } from '../src/terminal/confirm.ts';
import { wantsColour } from '../src/terminal/environment.ts';
import { exitCode } from '../src/terminal/exit-code.ts';
import { textOrEditor } from '../src/terminal/given-text.ts';

const page = readFileSync(new URL('../../../docs/command.md', import.meta.url), 'utf8');
const [, appendix = ''] = page.split('## Appendix: beside gh and clig.dev');
const rows = [...appendix.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, id = '']) => id);

const program = createProgram('0.0.0', () => {});

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

const all = leaves(program);
const hasOption = (command: Command | null, name: string) =>
  command?.options.some(({ long, short }) => long === name || short === name) === true;
const commandAt = (...words: string[]) => findCommand(program, words);

let stdout: string;
let stderr: string;

beforeEach(() => {
  stdout = '';
  stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    stdout += String(chunk);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    stderr += String(chunk);
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const run = (...args: string[]) => runProgram(args, '0.0.0');

/** Prints no data of its own: a server, a script for a shell, an answer as it is, one path, or nothing. */
const WITHOUT_JSON = new Set(['serve', 'completion', 'api', 'set', 'delete', 'unset', 'path']);

const checks: Readonly<Record<string, () => unknown>> = {
  'examples-first': async () => {
    expect(await run('issues', 'list', '--help')).toBe(exitCode.done);
    expect(stdout).toMatch(/^Examples:\n {2}sluice issues list/);
  },
  suggestions: async () => {
    await run('isues');
    await run('issues', 'list', '--limt', '3');
    expect(stderr).toMatch(/Did you mean issues\?[\s\S]*Did you mean --limit\?/);
  },
  'own-help': async () => {
    expect(await run('issues', 'list', '--nope')).toBe(exitCode.usage);
    expect(stderr).toContain('(see sluice issues list --help)');
  },
  environment: async () => {
    expect(await run('help', 'environment')).toBe(exitCode.done);
    expect(stdout).toContain('SLUICE_URL');
  },
  'exit-codes': async () => {
    expect(new Set(Object.values(exitCode)).size).toBe(Object.keys(exitCode).length);
    await run('help', 'exit-codes');
    for (const code of Object.values(exitCode)) expect(stdout).toMatch(new RegExp(`^ +${code} `, 'm'));
  },
  links: async () => {
    await run('repos', 'show', '--help');
    expect(stdout).toContain('docs/command.md');
    expect(stdout).toContain('Report a bug');
  },
  streams: async () => {
    vi.stubEnv('XDG_CONFIG_HOME', '/nowhere');
    await run('alias', 'list');
    expect({ stdout, stderr }).toEqual({ stdout: 'No aliases.\n', stderr: '' });
    await run('alias', 'delete', 'none');
    expect({ stdout, stderr: stderr !== '' }).toEqual({ stdout: 'No aliases.\n', stderr: true });
  },
  json: () => {
    const without = all.filter((command) => !hasOption(command, '--json')).map((command) => command.name());
    for (const name of without) expect(WITHOUT_JSON).toContain(name);
  },
  jq: () => {
    for (const command of all.filter((one) => hasOption(one, '--json'))) expect(hasOption(command, '-q')).toBe(true);
  },
  'json-errors': async () => {
    expect(await run('issues', 'list', '--json', '--nope')).toBe(exitCode.usage);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'usage', exit_code: exitCode.usage });
  },
  template: () => {
    const withTemplate = all.filter((command) => hasOption(command, '--template'));
    expect(withTemplate).toEqual([commandAt('issues', 'create')]); // an issue's, not one for the output
  },
  'issue-template': () => {
    expect(hasOption(commandAt('issues', 'create'), '-T')).toBe(true);
  },
  api: () => {
    for (const option of ['-X', '-f', '-F', '-H', '-i', '--input', '--paginate', '-q']) {
      expect(hasOption(commandAt('api'), option), option).toBe(true);
    }
  },
  'default-repo': () => {
    for (const command of all)
      expect(command.options.some(({ long, mandatory }) => long === '--repo' && mandatory)).toBe(false);
    const required = all.filter((one) =>
      one.registeredArguments.some((arg) => arg.name() === 'repository' && arg.required),
    );
    const ofServer = required.filter((one) => one.parent?.name() === 'repos').map((one) => one.name());
    expect(ofServer.toSorted()).toEqual(['add', 'remove', 'search']);
  },
  'short-options': () => {
    for (const option of ['-R', '-t', '-b', '-q']) expect(hasOption(commandAt('issues', 'create'), option)).toBe(true);
    for (const option of ['-R', '-L', '-a', '-q']) expect(hasOption(commandAt('issues', 'list'), option)).toBe(true);
    expect(hasOption(commandAt('issues', 'show'), '-w')).toBe(true);
    expect(hasOption(commandAt('issues', 'delete'), '-y')).toBe(true);
  },
  'second-names': () => {
    expect(commandAt('issue', 'ls')).toBe(commandAt('issues', 'list'));
    expect(commandAt('issue', 'rm')).toBe(commandAt('issues', 'delete'));
    expect(commandAt('repo', 'rm')).toBe(commandAt('repos', 'remove'));
    expect(commandAt('session', 'ls')).toBe(commandAt('sessions', 'list'));
    expect(commandAt('notify', 'ls')).toBe(commandAt('notifications', 'list'));
  },
  aliases: () => {
    for (const name of ['set', 'list', 'delete']) expect(commandAt('alias', name)).not.toBeNull();
  },
  editor: async () => {
    await expect(textOrEditor(undefined)).rejects.toThrow('There is no terminal to write it at.');
    for (const name of ['instruct', 'message']) {
      expect(commandAt('issues', name)?.registeredArguments[1]?.required, name).toBe(false);
    }
  },
  web: () => {
    for (const group of ['issues', 'repos']) expect(hasOption(commandAt(group, 'show'), '--web')).toBe(true);
  },
  completion: async () => {
    for (const shell of ['bash', 'zsh', 'fish']) expect(await run('completion', shell)).toBe(exitCode.done);
    const none = { issues: async () => [], repos: async () => [], sessions: async () => [], targets: async () => [] };
    const found = await completeValue(program, ['issues', 'list', '--status', 'comp'], none);
    expect(found).toEqual([{ value: 'completed' }]);
  },
  confirm: async () => {
    await expect(confirm('Delete it?', false)).rejects.toMatchObject({ code: exitCode.usage });
    await confirm('Delete it?', true);
    for (const name of ['cancel', 'delete']) expect(hasOption(commandAt('issues', name), '--yes')).toBe(true);
  },
  secrets: () => {
    // `--tokens` of a budget is a number of tokens of a model.
    const flags = all.flatMap(({ options }) => options.map((option) => option.flags));
    for (const flag of flags.filter((one) => one !== '--tokens <number>'))
      expect(flag).not.toMatch(/--\S*(password|token|secret)\S* [<[]/);
  },
  tokens: () => {
    expect(all.filter((command) => hasOption(command, '--token'))).toEqual([commandAt('login')]);
    expect(
      commandAt('login')
        ?.options.find(({ long }) => long === '--token')
        ?.isBoolean(),
    ).toBe(true);
  },
  colour: () => {
    vi.stubEnv('FORCE_COLOR', undefined).stubEnv('NO_COLOR', undefined).stubEnv('TERM', 'xterm');
    expect([wantsColour({ isTTY: true }), wantsColour({})]).toEqual([true, false]);
    vi.stubEnv('TERM', 'dumb');
    expect(wantsColour({ isTTY: true })).toBe(false);
    vi.stubEnv('FORCE_COLOR', '1');
    expect(wantsColour({})).toBe(true);
    vi.stubEnv('NO_COLOR', '1');
    expect(wantsColour({ isTTY: true })).toBe(false);
  },
  'no-arguments': async () => {
    expect(await run()).toBe(exitCode.usage);
    expect(stdout).toBe('');
    expect(stderr).toContain('Usage: sluice');
  },
};

it('has a check for each row, and a row for each check', () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.toSorted()).toEqual(Object.keys(checks).toSorted());
});

it.each(rows)('holds the row %s', async (row) => {
  await checks[row]?.();
});
