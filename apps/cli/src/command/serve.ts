import { serve } from '@sluice/server';
import type { Command } from 'commander';
import type { ExitCode } from '../exit-code.ts';

export function addServeCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('serve')
    .description('serve the API until SIGTERM or Ctrl-C; configured by the environment and .env')
    .option('--host <address>', 'address to listen on (HOST)')
    .option('--port <port>', 'port to listen on, 0 for a free one (PORT)')
    .option('--data-dir <folder>', 'where everything is kept (DATA_DIR)')
    .action(async (options: { host?: string; port?: string; dataDir?: string }) => {
      const overrides = Object.fromEntries(
        Object.entries({ HOST: options.host, PORT: options.port, DATA_DIR: options.dataDir }).filter(
          (entry): entry is [string, string] => entry[1] !== undefined,
        ),
      );
      await serve({ overrides });
      finish(0);
    });
}
