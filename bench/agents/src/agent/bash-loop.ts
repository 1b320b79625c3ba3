import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import type { SandboxLimits, SandboxResult } from '@sluice/core/workspace';
import { type ModelMessage, type SystemModelMessage, streamText, type ToolSet, type TypedToolCall, tool } from 'ai';
import * as z from 'zod';
import { patchOf } from '../repo/task-repo.ts';
import { BASH_SYSTEM, BASH_TOOL, bashRequest, SUBMITTED } from './bash-prompt.ts';
import { type AgentOutcome, type BenchAgent, sandboxFailed, type Trial } from './bench-agent.ts';
import { openTree } from './open-tree.ts';
import { setUp } from './set-up.ts';

interface BashLimits {
  readonly turns: number;
  readonly costUsd: number;
  readonly commandMs: number;
  /** The characters that are kept of each end of an output. */
  readonly outputEnd: number;
}

/** The limits that SWE-bench runs of mini-swe-agent use (its configuration `swebench.yaml`). */
export const BASH_LIMITS: BashLimits = { turns: 250, costUsd: 3, commandMs: 60_000, outputEnd: 5_000 };

const MIB = 1_024 ** 2;

const commandSchema = z.object({ command: z.string() });
const tools: ToolSet = { bash: tool({ description: BASH_TOOL, inputSchema: commandSchema }) };

/** The correction of an answer in another form than asked for. */
function formatAdvice(fault: string): string {
  return `${fault} Answer with at least one call of the tool bash, with your command as the text of its one input, "command". To hand in your work, run the command of the first message.`;
}

/**
 * The baseline: one conversation that only grows, one tool, and nothing else between the model and the repository. What an
 * agent does better than this, its harness does; what both do, the model does.
 */
export function bashAgent(limits: BashLimits = BASH_LIMITS): BenchAgent {
  return {
    name: 'bash',
    usesModel: true,
    promptHash: createHash('sha256')
      .update(`${BASH_SYSTEM}\n${BASH_TOOL}\n${bashRequest('')}\n${formatAdvice('')}`)
      .digest('hex'),
    work: (trial) => workByBash(trial, limits),
  };
}

async function workByBash(trial: Trial, limits: BashLimits): Promise<AgentOutcome> {
  const tree = openTree(trial.repo, join(trial.folder, 'tree'));
  await setUp(tree, trial);
  const log = (entry: object) => appendFileSync(join(trial.folder, 'trajectory.jsonl'), `${JSON.stringify(entry)}\n`);
  const messages: ModelMessage[] = [{ role: 'user', content: bashRequest(trial.instruction) }];
  let costUsd: number | null = 0;
  const end = (ended: AgentOutcome['ended'], detail: string): AgentOutcome => {
    return { ended, detail, patch: patchOf(trial.repo, tree), costUsd };
  };
  log({ role: 'system', content: BASH_SYSTEM });
  log(messages[0] ?? {});
  for (let turn = 0; turn < limits.turns; turn += 1) {
    if ((costUsd ?? 0) >= limits.costUsd) return end('gave_up', `It reached its limit of ${limits.costUsd} USD.`);
    const answer = await askForCommand(trial, messages);
    // Whether the model is away or refuses what the loop has sent, a full window for one, is known by who opened it.
    if ('failure' in answer) return end('gave_up', `The model failed: ${answer.failure}`);
    costUsd = costUsd === null || answer.costUsd === null ? null : costUsd + answer.costUsd;
    messages.push(...answer.messages);
    log({ role: 'assistant', text: answer.text, calls: answer.calls, usage: answer.usage });
    if (answer.calls.length === 0) {
      messages.push({ role: 'user', content: formatAdvice('Your answer held no call.') });
      continue;
    }
    for (const call of answer.calls) {
      const result =
        'fault' in call
          ? { text: formatAdvice(call.fault), isLast: false }
          : await runCommand(trial, { tree, command: call.command, limits });
      log({ role: 'tool', text: result.text });
      if (result.isLast) return end('done', answer.text);
      const output = { type: 'text' as const, value: result.text };
      const { id: toolCallId, tool: toolName } = call;
      messages.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] });
    }
  }
  return end('gave_up', `It reached its limit of ${limits.turns} turns.`);
}

async function askForCommand({ model, signal }: Trial, messages: readonly ModelMessage[]) {
  if (model === null) throw new TypeError('The bash loop needs a model.');
  const { choice } = model;
  const system: SystemModelMessage = { role: 'system', content: BASH_SYSTEM };
  const marked = choice.withCacheMarks?.([system, ...messages]) ?? [system, ...messages];
  const [first = system, ...rest] = marked;
  try {
    // The service asks for a stream too: only of one are the dialects of all servers understood.
    const answer = streamText({
      model: choice.model,
      instructions: first as SystemModelMessage,
      messages: rest,
      tools,
      temperature: 0,
      abortSignal: signal,
      onError() {}, // it comes as a part too
    });
    for await (const part of answer.stream) if (part.type === 'error') throw part.error;
    const [text, toolCalls, usage] = [await answer.text, await answer.toolCalls, await answer.usage];
    // To a call that it cannot read the SDK adds a result of its own. Vendors refuse two results of one call.
    const asked = (await answer.responseMessages).filter(({ role }) => role !== 'tool');
    return { text, calls: toolCalls.map(readCall), usage, costUsd: choice.costUsd(usage), messages: asked };
  } catch (error) {
    signal.throwIfAborted();
    return { failure: choice.failureOf(error).message };
  }
}

/** A call of the model; `fault` says in a sentence for it why there is no command to run. */
type BashCall = { readonly id: string; readonly tool: string } & (
  | { readonly command: string }
  | { readonly fault: string }
);

function readCall({ toolCallId: id, toolName, input }: TypedToolCall<ToolSet>): BashCall {
  const call = { id, tool: toolName };
  if (toolName !== 'bash') return { ...call, fault: `There is no tool "${toolName}", so nothing ran.` };
  const parsed = commandSchema.safeParse(input);
  if (parsed.success) return { ...call, command: parsed.data.command };
  return { ...call, fault: 'This call has no input that can be read, so nothing ran.' };
}

async function runCommand(
  { sandbox, signal }: Trial,
  { tree, command, limits }: { readonly tree: string; readonly command: string; readonly limits: BashLimits },
): Promise<{ readonly text: string; readonly isLast: boolean }> {
  const box: SandboxLimits = {
    timeoutMs: limits.commandMs,
    memoryBytes: 4_096 * MIB,
    processes: 512,
    fileBytes: 2_048 * MIB,
    diskBytes: 6_144 * MIB,
    outputBytes: MIB,
  };
  const quoted = `'${command.replaceAll("'", "'\\''")}'`;
  const given = {
    command: `bash -c ${quoted}`,
    root: tree,
    gitDir: null,
    allowHosts: [],
    owner: 'bench',
    limits: box,
    signal,
  };
  const result = await sandbox.run(given).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'disk_limit') return error.message;
    return sandboxFailed('a command', signal)(error);
  });
  if (typeof result === 'string') return { text: result, isLast: false };
  return {
    text: shown(result, limits.outputEnd),
    isLast: result.exitCode === 0 && result.output.startsWith(SUBMITTED),
  };
}

function shown({ output, exitCode, endedBy }: SandboxResult, end: number): string {
  const cut = output.length - 2 * end;
  const text = cut <= 0 ? output : `${output.slice(0, end)}\n[${cut} characters left out]\n${output.slice(-end)}`;
  const how = endedBy === 'exit' ? `exit code ${exitCode}` : `ended by its limit of ${endedBy}`;
  return `<output>\n${text}\n</output>\n${how}`;
}
