import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { AgentContext } from '@sluice/core/agent';
import { isStepCount, type ModelMessage, streamText, type ToolSet, tool } from 'ai';
import { it } from 'vitest';
import { NO_ADVICE } from '../src/advice/choose-advice.ts';
import { streamOf } from '../src/builtin/builtin-model.ts';
import { createAgentRunner } from '../src/loop/create-agent-runner.ts';
import { coder } from '../src/roles/coder.ts';
import { anIssue, aPlanFor, memoryContext } from '../test/loop/memory-context.ts';
import { scriptedChoice } from '../test/loop/scripted-model.ts';

const TURNS = 30;
const files = Object.fromEntries(
  Array.from({ length: TURNS }, (_, index) => [`${index}.txt`, `file ${index}\n${'a line of it\n'.repeat(300)}`]),
);
const { issue, repo } = anIssue();
const input = { issue, repo, plan: aPlanFor(['a.txt']), round: 1, feedback: null };

/** A model that takes no time: it reads a file each turn and then finishes. */
const model: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'bench',
  modelId: 'bench',
  supportedUrls: {},
  async doGenerate() {
    throw new Error('The loop streams.');
  },
  async doStream({ prompt }) {
    const answered = prompt.filter(({ role }) => role === 'assistant').length;
    return { stream: streamOf(partsOf(answered)) };
  },
};

function* partsOf(answered: number): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  const toolInput = JSON.stringify({ path: `${answered}.txt` });
  if (answered < TURNS - 1) {
    yield { type: 'tool-call', toolCallId: `${answered}`, toolName: 'read_file', input: toolInput };
  } else {
    yield { type: 'text-start', id: 't' };
    yield { type: 'text-delta', id: 't', delta: 'Done.' };
    yield { type: 'text-end', id: 't' };
  }
  yield {
    type: 'finish',
    finishReason: { unified: answered < TURNS - 1 ? 'tool-calls' : 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 1_000 * (answered + 1), noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 10, text: 10, reasoning: 0 },
    },
  };
}

const tools: ToolSet = Object.fromEntries(
  coder.tools.map(({ name, description, input: inputSchema }) => [name, tool({ description, inputSchema })]),
);
const runner = createAgentRunner({
  models: () => [scriptedChoice(model, { contextTokens: 1_000_000, maxOutputTokens: 8_192 })],
  clock: { now: () => new Date() },
});

/** The same turns with nothing kept: what the SDK takes by itself. */
async function bareTurns(context: AgentContext): Promise<void> {
  const messages: ModelMessage[] = [
    {
      role: 'user',
      content: coder.request(input, { hits: [], advice: NO_ADVICE, plannedFiles: [], room: Number.POSITIVE_INFINITY }),
    },
  ];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const result = streamText({
      model,
      instructions: 'Work.',
      messages: [...messages],
      tools,
      stopWhen: isStepCount(1),
    });
    await result.consumeStream();
    messages.push(...(await result.responseMessages));
    for (const { toolCallId, toolName } of await result.toolCalls) {
      const value = await context.workspace.files.read(`${turn}.txt`);
      messages.push({
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }],
      });
    }
  }
}

// What the journal, the checks and the bounds add to a turn is the ratio; a real model takes seconds for each.
it(`takes ${TURNS} turns in the durable loop, beside the same turns of a bare streamText`, async ({ bench }) => {
  await bench.compare(
    bench('bare streamText', async () => {
      await bareTurns(memoryContext({ files }).context);
    }),
    bench('the durable loop, journal in memory', async () => {
      await runner.run('coder', input, memoryContext({ files }).context);
    }),
  );
});
