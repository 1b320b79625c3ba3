import { createHash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openSandbox } from '../agent/open-sandbox.ts';
import { requireAnswer } from '../agent/require-answer.ts';
import { readDataset } from '../predictions/dataset.ts';
import { PREDICTIONS, predict } from '../predictions/predict.ts';
import { modelAgents } from '../run/run-bench.ts';
import { readText } from '../usage/read-json.ts';
import { UsageError, wholeNumber } from '../usage/usage-error.ts';
import { newRunFolder } from './bench-folders.ts';
import { agentNames } from './run-command.ts';

const MINUTE_MS = 60_000;

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
      minutes: { type: 'string', default: '60' },
      out: { type: 'string' },
    },
  });
  const { dataset, clones, model } = values;
  if (dataset === undefined || clones === undefined || model === undefined) {
    throw new UsageError('Say what to work on: --dataset FILE --clones FOLDER --model NAME');
  }
  const limit = values.limit === undefined ? undefined : wholeNumber('--limit', values.limit);
  const limitMs = wholeNumber('--minutes', values.minutes) * MINUTE_MS;
  const file = resolve(dataset);
  const instances = readDataset(file).slice(0, limit);
  if (instances.length === 0)
    throw new UsageError(`${file} holds no instance. It takes a row of the dataset in each line.`);
  const agents = agentNames(values.agents);
  await requireAnswer(model); // a missing key or a wrong name stops here, and not once for each instance
  const out = resolve(values.out ?? newRunFolder('predictions-'));
  process.stderr.write(`Predictions are written below ${out}. The same command with --out ${out} goes on.\n`);
  const inputs = { [basename(file)]: createHash('sha256').update(readText(file)).digest('hex') };
  let failures = 0;
  for (const name of agents) {
    const folder = join(out, name);
    const { written, failed } = await predict({
      instances,
      inputs,
      agent: modelAgents[name](),
      model,
      clones: resolve(clones),
      folder,
      sandbox: openSandbox(folder),
      limitMs,
      signal: new AbortController().signal,
      report: (line) => process.stderr.write(`${name} ${line}\n`),
    });
    failures += failed;
    process.stdout.write(`${join(folder, PREDICTIONS)}: ${written} predictions\n`);
  }
  return failures === 0 ? 0 : 1;
}
