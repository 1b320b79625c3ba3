import { parseArgs } from 'node:util';
import type { EconomySetting } from '../economy/run-economy.ts';
import { wholeNumber } from '../usage/usage-error.ts';

const USAGE = `npm run bench:economy -- [OPTIONS]

    --context-tokens NUMBER   the window of the model (default: 200000)
    --folder FOLDER           where the trajectories are kept (default: nowhere)
`;

/** Reads the options of the economy, or says how they are. @returns an exit code where nothing is to be measured */
export async function economyOptions(args: string[]): Promise<EconomySetting | number> {
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
    // It knows the errors of the whole service, which takes seconds to load.
    const { toldToPeople } = await import('../usage/told-to-people.ts');
    process.stderr.write(`${toldToPeople(error)}\n`);
    return 2;
  }
}
