import { baseUrlOf, type ModelProvider, parseModelName } from '@sluice/agents';
import { accessOf } from '../compose/open-models.ts';
import type { ModelSettings } from '../config/model-settings.ts';
import { type Finding, ok, problem } from './finding.ts';

const LONGEST_MS = 5_000;

/**
 * Whether the servers of the configured models answer at all. They are asked without a key, and for nothing that costs:
 * any answer will do, also a refusal.
 */
export async function reachFindings(settings: ModelSettings): Promise<Finding[]> {
  const names = [...Object.values(settings.byStage).flat(), settings.embedding ?? 'builtin'];
  const providers = new Set(names.map((name) => parseModelName(name)?.provider ?? 'builtin'));
  const hosted = [...providers].filter((provider) => provider !== 'builtin');
  return Promise.all(hosted.map((provider) => reachFinding(provider, settings)));
}

async function reachFinding(provider: ModelProvider, settings: ModelSettings): Promise<Finding> {
  const subject = `${provider} models`;
  const address = baseUrlOf(provider, accessOf(settings)) ?? '';
  const key = settings[provider].apiKey === null ? 'without a key' : 'its key is set, and was not tried';
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
