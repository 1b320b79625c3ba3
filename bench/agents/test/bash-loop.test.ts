import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveOnLoopback } from '@sluice/testing';
import { afterAll, expect, it } from 'vitest';
import { bashAgent } from '../src/agent/bash-loop.ts';
import { SUBMITTED } from '../src/agent/bash-prompt.ts';
import { openModel } from '../src/agent/open-model.ts';
import { openSandbox } from '../src/agent/open-sandbox.ts';
import { makeTaskRepo } from '../src/repo/task-repo.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-bash-loop-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Call {
  readonly tool: string;
  /** The arguments on the wire, which are not always JSON. */
  readonly input: string;
}

interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
}

const command = (text: string): Call => ({ tool: 'bash', input: JSON.stringify({ command: text }) });

/** A server that makes these calls, an answer after another. It keeps the messages of every request. */
async function startCaller(answers: readonly (readonly Call[])[]) {
  const requests: WireMessage[][] = [];
  const server = await serveOnLoopback(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push(JSON.parse(Buffer.concat(chunks).toString('utf8')).messages);
    const calls = (answers[requests.length - 1] ?? []).map(({ tool, input }, at) => {
      return { id: `call-${requests.length}-${at}`, type: 'function', function: { name: tool, arguments: input } };
    });
    const message = { role: 'assistant', content: 'Next.', tool_calls: calls };
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'a', object: 'chat.completion', created: 0, model: 'a', choices, usage }));
  });
  return { ...server, requests };
}

it.each([
  ['arguments that were cut off', { tool: 'bash', input: '{"command": "touch made' }, 'no input'],
  ['a tool that there is not', { tool: 'edit_file', input: '{"command": "touch made"}' }, 'edit_file'],
  ['an input of another form', { tool: 'bash', input: '{"cmd": "touch made"}' }, 'no input'],
])('answers a call with %s once, with advice, runs the others, and goes on', async (_, broken, told) => {
  await using caller = await startCaller([[broken, command('echo ran > seen')], [command(`echo ${SUBMITTED}`)]]);
  const folder = mkdtempSync(join(root, 'trial-'));
  const files = mkdtempSync(join(folder, 'files-'));
  const outcome = await bashAgent().work({
    instruction: 'Change it.',
    repo: makeTaskRepo(files, join(folder, 'base')),
    folder,
    setupCommand: null,
    testCommand: null,
    allowHosts: [],
    model: openModel('compatible/a', { MODEL_BASE_URL: `${caller.origin}/v1`, MODEL_API_KEY: 'a' }),
    sandbox: openSandbox(folder),
    signal: new AbortController().signal,
  });
  expect(outcome).toMatchObject({ ended: 'done' });
  expect(outcome.patch).toContain('+ran');
  expect(outcome.patch).not.toContain('made');
  expect(caller.requests).toHaveLength(2);
  // Servers that render a conversation parse the arguments in it.
  const sent = (caller.requests[1] ?? []).flatMap((message) => message.tool_calls ?? []);
  for (const call of sent) expect(JSON.parse(call.function.arguments)).toBeTypeOf('object');
  const results = (caller.requests[1] ?? []).filter(({ role }) => role === 'tool');
  expect(results.map((result) => result.tool_call_id)).toEqual(['call-1-0', 'call-1-1']);
  expect(results[0]?.content).toContain(told);
  expect(results[0]?.content).toContain('tool bash');
  expect(readFileSync(join(folder, 'trajectory.jsonl'), 'utf8')).toContain('tool bash');
});
