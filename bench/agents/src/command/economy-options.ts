import { parseArgs } from 'node:util';
import { toldToPeople } from '../usage/told-to-people.ts';
import { wholeNumber } from '../usage/usage-error.ts';

const USAGE = `npm run bench:economy -- [OPTIONS]

    --context-tokens NUMBER   the window of the model (default: 200000)
    --folder FOLDER           where the trajectories are kept (default: nowhere)
`;

interface EconomyOptions {
  readonly contextTokens: number;
  /** Where the trajectories are kept; undefined: nowhere. */
  readonly folder: string | undefined;
}

/** Reads the options of the economy, or says how they are. @returns an exit code where nothing is to be measured */
export function economyOptions(args: string[]): EconomyOptions | number {
  try {
    const { values } = parseArgs({
      args,
      options: {
        'context-tokens': { type: 'string', default: '200000' },
        folder: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (!values.help)
      return { contextTokens: wholeNumber('--context-tokens', values['context-tokens']), folder: values.folder };
    process.stdout.write(USAGE);
    return 0;
  } catch (error) {
    process.stderr.write(`${toldToPeople(error)}\n`);
    return 2;
  }
}
