import type { Command } from 'commander';
import type { RemoteOptions } from '../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../terminal/exit-code.ts';
import { addCommand, positiveInteger } from './add-command.ts';
import { remoteCommand, withRemote } from './remote-command.ts';

/** `sessions list` and `sessions end`. */
export function addSessionsCommands(program: Command, finish: Finish): void {
  const sessions = addCommand(program, 'sessions', {
    description: 'see where you are logged in, and end sessions',
    examples: ['sluice sessions list', 'sluice sessions end 9e4d21aa'],
  });
  remoteCommand(sessions, 'list', {
    description: 'list your sessions on the server, newest first',
    examples: ['sluice sessions list', 'sluice sessions list --jq ".items[].client"'],
  })
    .option('-L, --limit <number>', 'maximum number of results, 1 to 100', positiveInteger)
    .option('--cursor <cursor>', 'continue from the end of the previous page')
    .action(async ({ limit, cursor, ...options }: RemoteOptions & { limit?: number; cursor?: string }) => {
      const { renderSessions } = await import('../render/render-accounts.ts');
      await withRemote(options, async ({ client, output }) => {
        const list = await client.auth.sessions.list.query({
          ...(limit === undefined ? {} : { limit }),
          ...(cursor === undefined ? {} : { cursor }),
        });
        output.data(list, (style, page) => renderSessions(list.items, { style, page }));
        if (list.next_cursor !== null) output.message(`More results: --cursor ${list.next_cursor}`);
      });
      finish(exitCode.done);
    });

  remoteCommand(sessions, 'end', {
    description: 'end a session; its user must log in again there',
    examples: ['sluice sessions end 9e4d21aa', 'sluice sessions end --others     all but this one'],
  })
    .argument('[session]', 'session id, or a unique ending of it')
    .option('--others', 'end every session but this one')
    .action(async (given: string | undefined, options: RemoteOptions & { others?: true }) => {
      if ((given === undefined) === (options.others === undefined)) {
        throw new CommandError(exitCode.usage, 'Pass either a session or --others.');
      }
      const { allSessions, findSession } = await import('../session/find-by-suffix.ts');
      await withRemote(options, async ({ client, output }) => {
        const others = async () => (await Array.fromAsync(allSessions(client))).filter(({ current }) => !current);
        const ids = given === undefined ? (await others()).map(({ id }) => id) : [await findSession(client, given)];
        for (const id of ids) await client.auth.sessions.revoke.mutate({ id });
        output.message(ids.length === 1 ? 'Ended 1 session.' : `Ended ${ids.length} sessions.`);
      });
      finish(exitCode.done);
    });
}
