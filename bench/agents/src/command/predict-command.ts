import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openModel } from '../agent/open-model.ts';
import { openSandbox } from '../agent/open-sandbox.ts';
import { readDataset } from '../predictions/dataset.ts';
import { predict } from '../predictions/predict.ts';
import { modelAgents } from '../run/run-bench.ts';
import { UsageError, wholeNumber } from '../usage/usage-error.ts';
import { runsFolder } from './bench-folders.ts';
import { agentNames } from './run-command.ts';

/** Writes the predictions of each agent for a dataset's file. */
export async function predictCommand(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      dataset: { type: 'string' },
      clones: { type: 'string' },
      model: { type: 'string' },
      agents: { type: 'string', default: 'sluice' },
      limit: { type: 'string' },
      out: { type: 'string', default: `${runsFolder}/predictions` },
    },
  });
  const { dataset, clones, model } = values;
  if (dataset === undefined || clones === undefined || model === undefined) {
    throw new UsageError('Say what to work on: --dataset FILE --clones FOLDER --model NAME');
  }
  openModel(model); // a missing key stops here, and not once for each instance
  const limit = values.limit === undefined ? undefined : wholeNumber('--limit', values.limit);
  const instances = readDataset(resolve(dataset)).slice(0, limit);
  let failures = 0;
  for (const name of agentNames(values.agents)) {
    const folder = resolve(values.out, name);
    failures += await predict({
      instances,
      agent: modelAgents[name](),
      model,
      clones: resolve(clones),
      folder,
      sandbox: openSandbox(folder),
      signal: new AbortController().signal,
      report: (line) => process.stderr.write(`${name} ${line}\n`),
    });
    process.stdout.write(`${folder}/predictions.jsonl\n`);
  }
  return failures === 0 ? 0 : 1;
}
