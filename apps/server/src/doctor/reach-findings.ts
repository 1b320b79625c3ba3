import { type ModelServer, modelServers } from '../compose/model-servers.ts';
import type { ModelSettings } from '../config/model-settings.ts';
import { type Finding, ok, problem } from './finding.ts';

const LONGEST_MS = 5_000;

/**
 * Whether the servers of the configured models answer at all. They are asked without a key, and for nothing that costs:
 * any answer will do, also a refusal.
 */
export async function reachFindings(settings: ModelSettings): Promise<Finding[]> {
  return Promise.all(modelServers(settings).map(reachFinding));
}

async function reachFinding({ provider, address, hasKey }: ModelServer): Promise<Finding> {
  const subject = `${provider} models`;
  const key = hasKey ? 'its key is set, and was not tried' : 'without a key';
  try {
    const { body } = await fetch(`${address}/models`, { redirect: 'manual', signal: AbortSignal.timeout(LONGEST_MS) });
    await body?.cancel();
    return ok(subject, `${address} answers (${key})`);
  } catch (error) {
    return problem(
      subject,
      `${address} does not answer (${reasonOf(error)})`,
      'see that it runs and that this machine may reach it, or correct its address',
    );
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException) return `nothing within ${LONGEST_MS / 1_000} s`;
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? 'unknown reason';
}
