import type { LanguageModelV4Prompt as Prompt } from '@ai-sdk/provider';
import type { AgentResult } from '@sluice/core/agent';
import { eventCatalog } from '@sluice/core/issue';
import type { Plan } from '@sluice/core/pipeline';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import type { ModelChoice } from '../../src/models/model-choice.ts';
import { anIssue, aPlanFor, type MemoryOptions, memoryContext } from './memory-context.ts';
import { finished, type ScriptedTurn, scriptedChoice, scriptedModel } from './scripted-model.ts';

export interface CoderOptions extends MemoryOptions {
  /** Settings of the first model choice. */
  readonly choice?: Partial<ModelChoice>;
  readonly standIns?: readonly ModelChoice[];
  readonly plan?: Plan;
  /** The feedback that a later round begins with. */
  readonly feedback?: string;
}

/**
 * A coder whose model plays a script, in memory: its n-th answer is the n-th turn. `run` starts it, or goes on from its
 * journal.
 */
export function scriptedCoder(
  script: readonly ScriptedTurn[] | ((request: number, prompt: Prompt) => ScriptedTurn),
  options: CoderOptions = {},
) {
  let appends = 0;
  const memory = memoryContext({
    ...options,
    onAppended(written) {
      appends += 1;
      options.onAppended?.(written);
    },
  });
  let asked = 0;
  const scripted = scriptedModel((answered, prompt) => {
    asked += 1;
    return typeof script === 'function' ? script(asked - 1, prompt) : (script[answered] ?? finished('Too far.'));
  });
  const { issue, repo } = anIssue();
  const plan = options.plan ?? aPlanFor(['a.txt', 'b.txt']);
  const runner = createAgentRunner({
    models: () => [scriptedChoice(scripted.model, options.choice), ...(options.standIns ?? [])],
    clock: { now: () => new Date() },
    maxRetries: 0,
  });
  return {
    ...memory,
    ...scripted,
    async run(): Promise<AgentResult<'coder'>> {
      const result = await runner.run(
        'coder',
        { issue, repo, plan, round: 1, feedback: options.feedback ?? null },
        memory.context,
      );
      for (const event of memory.events) eventCatalog[event.type].parse(event.data);
      return result;
    },
    /** The messages of the service itself. */
    serviceMessages: () =>
      memory.events.flatMap((event) =>
        event.type === 'agent.message' && event.data.agent === 'service' ? [event.data.text] : [],
      ),
    results: () => memory.events.flatMap((event) => (event.type === 'agent.tool_result' ? [event.data] : [])),
    /** How often the journal was written. */
    appends: () => appends,
    kinds: () => memory.journal.map((entry) => ('callId' in entry ? `${entry.kind} ${entry.callId}` : entry.kind)),
  };
}

/** One call of a turn. */
export function call(id: string, tool: string, input: unknown): { id: string; tool: string; input: unknown } {
  return { id, tool, input };
}
