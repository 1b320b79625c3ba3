/* The bench of the agents: `--help` says what each command takes, and README.md beside `src` what it is for. */
import { benchCommand } from './command/bench-command.ts';

process.exitCode = await benchCommand(process.argv.slice(2));
