import type { Command } from 'commander';
import type { RemoteOptions } from '../session/remote.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { type Finish, remoteCommand } from './remote-command.ts';

export function addLogoutCommand(program: Command, finish: Finish): void {
  remoteCommand(program, 'logout', {
    description: 'end the session, there and here',
    examples: ['sluice logout', 'sluice logout --url https://sluice.example.com'],
  }).action(async (options: RemoteOptions) => {
    const { openRemote } = await import('../session/remote.ts');
    const { logOut } = await import('../session/log-out.ts');
    await logOut(await openRemote(options));
    finish(exitCode.done);
  });
}
