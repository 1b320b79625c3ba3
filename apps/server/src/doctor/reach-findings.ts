import { type ModelServer, modelServers } from '../compose/model-servers.ts';
import type { ModelSettings } from '../config/model-settings.ts';
import { type Finding, ok, problem } from './finding.ts';
import { whyUnreachable } from './reach-address.ts';

/** Whether the servers of the configured models answer at all. They are asked for nothing that costs. */
export async function reachFindings(settings: ModelSettings): Promise<Finding[]> {
  return Promise.all(modelServers(settings).map(reachFinding));
}

async function reachFinding({ provider, address, hasKey }: ModelServer): Promise<Finding> {
  const subject = `${provider} models`;
  const key = hasKey ? 'its key is set, and was not tried' : 'without a key';
  const why = await whyUnreachable(`${address}/models`);
  if (why === null) return ok(subject, `${address} answers (${key})`);
  return problem(
    subject,
    `${address} does not answer (${why})`,
    'see that it runs and that this machine may reach it, or correct its address',
  );
}
