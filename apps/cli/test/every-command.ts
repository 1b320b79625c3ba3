import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../src/program.ts';
import type { Terminal } from './terminal.ts';

const program = createProgram('0.0.0', () => {});
const UUID = '019aa000-0000-7000-8000-000000000001';

interface Leaf {
  readonly path: string[];
  readonly command: Command;
  readonly words: string;
}

/** Every command without subcommands. */
function leaves(command: Command, path: readonly string[] = []): { path: string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ path: [...path], command }];
  return command.commands.flatMap((one) => leaves(one, [...path, one.name()]));
}

export const all: readonly Leaf[] = leaves(program).map((leaf) => ({ ...leaf, words: leaf.path.join(' ') }));
/** Commands that require a server. `run` does not, and `api` prints also the answer that refuses it. */
const remote = all.filter(
  ({ command, path }) => command.options.some(({ long }) => long === '--url') && path[0] !== 'run' && path[0] !== 'api',
);

/** A call of a command with all that it requires. */
export function callOf({ path, command }: Leaf): string[] {
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
function inputOf({ words }: Leaf): string {
  return words === 'account password' ? 'a password\nanother password\n' : 'a password\n';
}

function argument(name: string): string {
  if (name === 'repository-or-number') return '7';
  if (name === 'state') return 'on';
  if (name === 'email') return 'a@example.com';
  return name === 'repository' || name === 'issue' || name === 'token' ? UUID : 'words';
}

/** Commands fail in one place for all where they need a server: a third of them shows it. */
export const sampleOfRemote = remote.filter((_leaf, at) => at % 3 === 0);
export const restOfRemote = remote.filter((_leaf, at) => at % 3 !== 0);

const ONE_LINE = /^sluice: [^\n]+\n$/;

/** Tries commands where the server requires a login, and where there is none. @param url of a server without users */
export function itSaysWhereALoginIsNeeded(
  some: readonly Leaf[],
  { terminal, url }: { readonly terminal: () => Terminal; readonly url: () => string },
): void {
  describe.each(some)('sluice $words, on a server', (leaf) => {
    it('ends with 3 and a hint when the server requires a login, in text and in JSON', async () => {
      for (const json of [[], ['--json']]) {
        const call = [...callOf(leaf), ...json, '--url', url()];
        const { code, stdout, stderr } = await terminal().sluice(call, { input: inputOf(leaf) });
        const isLogout = leaf.words === 'logout';
        expect({ code, stdout }, stderr).toEqual({ code: isLogout ? 0 : 3, stdout: '' });
        expect(stderr.split('\n')).toHaveLength(2);
        if (!isLogout && leaf.words !== 'login') expect(stderr).toContain(`sluice login --url ${url()}`);
      }
    });

    it('reports an unreachable server in one line, with 1', async () => {
      const call = [...callOf(leaf), '--url', 'http://127.0.0.1:2'];
      const { code, stdout, stderr } = await terminal().sluice(call, { input: inputOf(leaf) });
      expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(ONE_LINE);
      expect(stderr).toContain('The connection to http://127.0.0.1:2 was refused');
    });
  });
}
