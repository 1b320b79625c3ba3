/*
 * What Sluice asks of a model for three fixes, beside a bare bash loop that makes the same edits. No key is needed: the
 * model is a script on the wire, and everything else is real.
 *
 *   npm run bench:economy [-- --context-tokens 200000] [--folder FOLDER to keep the trajectories]
 */
import { economyOptions } from './command/economy-options.ts';

const options = await economyOptions(process.argv.slice(2));
if (typeof options === 'number') process.exitCode = options;
else {
  const { runEconomy } = await import('./economy/run-economy.ts');
  process.exitCode = await runEconomy(options);
}
