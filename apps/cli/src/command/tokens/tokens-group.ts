import type { Command } from 'commander';
import { Option } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { addCommand, positiveInteger } from '../add-command.ts';
import { remoteCommand, withRemote } from '../remote-command.ts';

// Not imported from core, so that `--help` loads no more than it shows; a test compares them.
export const SCOPES = ['read', 'write', 'approve', 'admin'] as const;

const USUAL_DAYS = 90;
const REPO = '-R, --repo <repository>';

const NOTES = [
  'A token can do what you can, within its scope, and nothing that acts on your account. Scripts send it as "Authorization: Bearer"',
  'or have it in SLUICE_TOKEN. The operator of the server has to set API_TOKENS=on.',
].join('\n');

interface CreateOptions extends RemoteOptions {
  readonly scope: (typeof SCOPES)[number];
  readonly repo?: string;
  readonly days?: number;
}

interface ListOptions extends RemoteOptions {
  readonly repo?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** `tokens create`, `tokens list` and `tokens revoke`. */
export function addTokensCommands(program: Command, finish: Finish): void {
  const tokens = addCommand(program, 'tokens', {
    description: 'create, list and revoke API tokens for scripts',
    examples: ['sluice tokens create CI --scope write', 'sluice tokens list', 'sluice tokens revoke 7c9e21aa'],
  });
  addCreateCommand(tokens, finish);
  addListCommand(tokens, finish);
  addRevokeCommand(tokens, finish);
}

function addCreateCommand(tokens: Command, finish: Finish): void {
  remoteCommand(tokens, 'create', {
    description: 'create an API token, and print it once',
    examples: [
      'sluice tokens create CI --scope write > token',
      'sluice tokens create "CI of shop" --scope read --repo acme/shop --days 30',
    ],
    notes: NOTES,
  })
    .argument('<name>', 'what it is for, to recognize it by')
    .addOption(new Option('--scope <scope>', 'what it may do at most').choices(SCOPES).makeOptionMandatory())
    .option(REPO, 'the only repository that it reaches (default: all of yours)')
    .option('--days <number>', `days until it expires, 365 at most (default: ${USUAL_DAYS})`, positiveInteger)
    .action(async (name: string, options: CreateOptions) => {
      const { findRepo } = await import('../../session/find-by-suffix.ts');
      await withRemote(options, async ({ client, output }) => {
        const repo_id = options.repo === undefined ? null : await findRepo(client, options.repo);
        const { scope, days: expires_in_days = USUAL_DAYS } = options;
        const created = await client.tokens.create.mutate({ name, scope, repo_id, expires_in_days });
        output.message(`The token is shown only once, and expires on ${created.expires_at.slice(0, 10)}.`);
        output.data(created, () => created.token);
      });
      finish(exitCode.done);
    });
}

function addListCommand(tokens: Command, finish: Finish): void {
  remoteCommand(tokens, 'list', {
    description: 'list your API tokens, or those that are limited to a repository',
    examples: ['sluice tokens list', 'sluice tokens list --repo acme/shop    of all members, for its admins'],
  })
    .option(REPO, 'the tokens of all members that are limited to this repository')
    .option('-L, --limit <number>', 'maximum number of results, 1 to 100', positiveInteger)
    .option('--cursor <cursor>', 'continue from the end of the previous page')
    .action(async ({ repo, limit, cursor, ...options }: ListOptions) => {
      const { findRepo } = await import('../../session/find-by-suffix.ts');
      const { renderTokens } = await import('../../render/render-tokens.ts');
      const page = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) };
      await withRemote(options, async ({ client, output }) => {
        const list =
          repo === undefined
            ? await client.tokens.list.query(page)
            : await client.repos.tokens.query({ id: await findRepo(client, repo), ...page });
        output.data(list, (style, sheet) => renderTokens(list.items, { style, page: sheet }));
        if (list.next_cursor !== null) output.message(`More results: --cursor ${list.next_cursor}`);
      });
      finish(exitCode.done);
    });
}

function addRevokeCommand(tokens: Command, finish: Finish): void {
  remoteCommand(tokens, 'revoke', {
    description: 'revoke an API token; what uses it is refused from then on',
    examples: ['sluice tokens revoke 7c9e21aa', 'sluice tokens revoke 7c9e21aa --repo acme/shop    of any member'],
  })
    .argument('<token>', 'id as `tokens list` shows it, or a unique ending of it')
    .option(REPO, 'one that is limited to it, of any member')
    .action(async (given: string, { repo, ...options }: RemoteOptions & { readonly repo?: string }) => {
      const { findRepo, findToken } = await import('../../session/find-by-suffix.ts');
      await withRemote(options, async ({ client, output }) => {
        const repoId = repo === undefined ? null : await findRepo(client, repo);
        const id = await findToken(client, { repoId, given });
        if (repoId === null) await client.tokens.revoke.mutate({ id });
        else await client.repos.revokeToken.mutate({ id: repoId, token_id: id });
        output.message('Revoked 1 token.');
      });
      finish(exitCode.done);
    });
}
