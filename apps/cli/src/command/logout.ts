import type { Command } from 'commander';
import { exitCode } from '../exit-code.ts';
import type { RemoteOptions } from '../remote.ts';
import { type Finish, remoteCommand } from './remote-command.ts';

export function addLogoutCommand(program: Command, finish: Finish): void {
  remoteCommand(program, 'logout', {
    description: 'end the session, there and here',
    examples: ['sluice logout', 'sluice logout --url https://sluice.example.com'],
  }).action(async (options: RemoteOptions) => {
    const { openRemote } = await import('../remote.ts');
    const { logOut } = await import('../log-out.ts');
    await logOut(await openRemote(options));
    finish(exitCode.done);
  });
}
