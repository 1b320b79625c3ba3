import { AppError } from '@sluice/core/error';
import { eventCatalog } from '@sluice/core/issue';
import { eventually } from '@sluice/testing';
import { describe, expect, it, vi } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { ANSWER_TIMEOUTS } from '../../src/models/answer-timeouts.ts';
import { anIssue, aPlanFor, type MemoryOptions, memoryContext } from './memory-context.ts';
import { finished, type ScriptedTurn, scriptedChoice, scriptedModel } from './scripted-model.ts';

const PLAN = aPlanFor(['a', 'b.txt', '../x']);
const { issue, repo } = anIssue();

interface ScriptOptions extends MemoryOptions {
  readonly maxTurns?: number;
  readonly turnTimeoutMs?: number;
  costUsd?(): number;
}

function start(script: (answered: number) => ScriptedTurn, options: ScriptOptions = {}) {
  const memory = memoryContext(options);
  const scripted = scriptedModel(script);
  const { maxTurns, turnTimeoutMs, costUsd } = options;
  const choice = scriptedChoice(scripted.model, { ...(maxTurns && { maxTurns }), ...(costUsd && { costUsd }) });
  const runner = createAgentRunner({
    models: () => [choice],
    clock: { now: () => new Date() },
    maxRetries: 0,
    ...(turnTimeoutMs && { timeouts: { ...ANSWER_TIMEOUTS, totalMs: turnTimeoutMs } }),
  });
  return { ...memory, ...scripted, runner };
}

async function code(turns: readonly ScriptedTurn[], options: ScriptOptions = {}) {
  const started = start((answered) => turns[answered] ?? finished('Too far.'), options);
  const input = { issue, repo, plan: PLAN, round: 1, feedback: null };
  const result = await started.runner.run('coder', input, started.context);
  for (const event of started.events) eventCatalog[event.type].parse(event.data);
  const results = started.events.flatMap((event) => (event.type === 'agent.tool_result' ? [event.data] : []));
  return { ...started, result, results };
}

const call = (id: string, tool: string, input: unknown) => ({ id, tool, input });

describe('the loop', () => {
  it('runs two calls of a turn one after the other, in order', async () => {
    const order: string[] = [];
    const { results } = await code(
      [
        { calls: [call('1', 'run_command', { command: 'slow' }), call('2', 'run_command', { command: 'fast' })] },
        finished('Done.'),
      ],
      {
        async command(command) {
          order.push(`${command} begins`);
          for (let turn = 0; turn < (command === 'slow' ? 20 : 0); turn += 1) await new Promise(setImmediate);
          order.push(`${command} ends`);
          return command;
        },
      },
    );
    expect(order).toEqual(['slow begins', 'slow ends', 'fast begins', 'fast ends']);
    expect(results.map(({ call_id }) => call_id)).toEqual(['1', '2']);
  });

  it.each([
    ['an unknown tool', call('1', 'launch', {}), /launch/],
    ['input of the wrong shape', call('1', 'read_file', { start_line: 2 }), /path/],
    ['input that is no JSON', call('1', 'read_file', '{"path": "a'), /read_file/],
    ['a refusal', call('1', 'read_file', { path: 'none.txt' }), /none\.txt/],
    ['a refused path', call('1', 'write_file', { path: '../x', content: '' }), /leads out/],
  ])('answers %s and goes on', async (...[, asked, said]) => {
    const { results, result, requests } = await code([{ calls: [asked] }, finished('I see.')]);
    expect(results).toEqual([
      expect.objectContaining({ call_id: '1', ok: false, summary: expect.stringMatching(said) }),
    ]);
    expect(result.output).toEqual({ outcome: 'done', summary: 'I see.', ran: [], outsidePlan: [] });
    expect(requests).toEqual([0, 1]);
  });

  it('answers that the sandbox is unavailable, and fails on what a broken tool throws', async () => {
    const turns = [{ calls: [call('1', 'run_command', { command: 'make' })] }, finished('no sandbox', 'blocked')];
    const refused = await code(turns, { command: () => Promise.reject(new AppError('sandbox_unavailable')) });
    expect(refused.results[0]).toMatchObject({ ok: false });
    expect(refused.result.output).toEqual({ outcome: 'blocked', summary: 'no sandbox', ran: [], outsidePlan: [] });
    await expect(code(turns, { command: () => Promise.reject(new Error('broken')) })).rejects.toThrow('broken');
  });

  it('stops calls without end at the turn limit, also after a restart', async () => {
    const different = (answered: number) => ({ calls: [call('1', 'read_file', { path: `${answered}` })] });
    const started = start(different, { maxTurns: 5 });
    const input = { issue, repo, plan: PLAN, round: 1, feedback: null };
    await expect(started.runner.run('coder', input, started.context)).rejects.toMatchObject({
      code: 'agent_turns_exceeded',
    });
    expect(started.requests).toHaveLength(5);
    const again = start(() => ({ text: 'x' }), { maxTurns: 5, journal: started.journal });
    await expect(again.runner.run('coder', input, again.context)).rejects.toMatchObject({
      code: 'agent_turns_exceeded',
    });
    expect(again.requests).toEqual([]);
  });

  it('writes the message before its tools, the beginning before an effect, the result after it', async () => {
    const { journal } = await code(
      [
        { calls: [call('1', 'list_files', {}), call('2', 'write_file', { path: 'a', content: 'a' })] },
        finished('Done.'),
      ],
      { files: { b: '' } },
    );
    const kinds = journal.map((entry) => ('callId' in entry ? `${entry.kind} ${entry.callId}` : entry.kind));
    expect(kinds).toEqual([
      'message',
      'message',
      'message',
      'usage',
      'result 1',
      'begin 2',
      'result 2',
      'checkpoint',
      'message',
      'usage',
      'done',
      'result end',
    ]);
  });

  it('sums usage over the turns, and leaves an unknown cost unknown', async () => {
    const turns = [{ calls: [call('1', 'list_files', {})] }, finished('Done.')];
    expect((await code(turns, { files: { a: '' } })).result.usage).toEqual({
      input_tokens: 200,
      output_tokens: 20,
      cost_usd: null,
    });
    expect((await code(turns, { files: { a: '' }, costUsd: () => 0.5 })).result.usage.cost_usd).toBe(1);
  });

  it('keeps events short and free of NUL and lone surrogates, and the journal whole', async () => {
    const content = `\u0000\ud800${'x'.repeat(50_000)}`;
    const { events, journal, files } = await code([
      { text: 'a\u0000b', calls: [call('1', 'write_file', { path: 'a', content })] },
      finished('Done.'),
    ]);
    const told = JSON.stringify(events);
    expect(told.length).toBeLessThan(6_000);
    expect(told).not.toMatch(/\\u0000|\\ud800/);
    expect(events[0]).toMatchObject({ type: 'agent.message', data: { agent: 'coder', text: 'ab' } });
    expect(JSON.stringify(journal)).toContain('x'.repeat(50_000));
    expect(JSON.stringify(journal)).not.toMatch(/\\u0000|\\ud800/);
    expect(files.snapshot().a).toBe(`\ufffd${'x'.repeat(50_000)}`);
  });

  it('shortens the event of a call with many parts', async () => {
    const input = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`part ${index}`, 'v'.repeat(50)]));
    const { events, journal } = await code([{ calls: [call('x', 'read_file', input)] }, finished('Done.')]);
    const told = events.find(({ type }) => type === 'agent.tool_call');
    expect(JSON.stringify(told).length).toBeLessThan(40_000);
    expect(JSON.stringify(told)).toContain('part 19999');
    expect(JSON.stringify(journal)).toContain('part 10000');
  });

  it('keeps two calls apart that share an id in one answer', async () => {
    const calls = [call('x', 'run_command', { command: 'first' }), call('x', 'run_command', { command: 'second' })];
    const { commands, results } = await code([{ calls }, finished('Done.')]);
    expect(commands).toEqual(['first', 'second']);
    expect(results.map(({ call_id }) => call_id)).toEqual(['x', 'x_2']);
  });

  it('answers the invalid one of two calls that share an id', async () => {
    const calls = [
      call('x', 'run_command', { command: 'first' }),
      call('x', 'run_command', '{"command": "sec'),
      call('x_2', 'run_command', { command: 'third' }),
    ];
    const { commands, results } = await code([{ calls }, finished('Done.')]);
    expect(commands).toEqual(['first', 'third']);
    const oks = results.map(({ call_id, ok }) => [call_id, ok]).sort();
    expect(oks).toEqual([
      ['x', true],
      ['x_2', false],
      ['x_2_2', true],
    ]);
  });

  it('fails as the provider failed, before and within an answer', async () => {
    await expect(code([{ refuses: new Error('no such model') }])).rejects.toThrow('no such model');
    await expect(code([{ text: 'half', error: new Error('overloaded') }])).rejects.toThrow('overloaded');
  });

  it('sends the words live as they come', async () => {
    const { live } = await code([{ text: 'All done.' }]);
    expect(live.join('')).toBe('All done.');
  });

  it('says nothing on stderr, neither of warnings nor of errors', async () => {
    const spies = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn'), vi.spyOn(process, 'emitWarning')];
    await expect(code([{ error: new Error('overloaded') }])).rejects.toThrow('overloaded');
    await code([finished('Done.')]);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it.each([[{ text: '' }], [{}], [{ text: 'half a', finish: 'length' as const }]])(
    'asks again after %j',
    async (turn) => {
      // An answer of nothing is not sent back to the model, so it cannot count its own answers here.
      const turns: ScriptedTurn[] = [turn, finished('Done.')];
      const started = start(() => turns.shift() ?? finished('Too far.'));
      const input = { issue, repo, plan: PLAN, round: 1, feedback: null };
      const { output } = await started.runner.run('coder', input, started.context);
      expect(output).toEqual({ outcome: 'done', summary: 'Done.', ran: [], outsidePlan: [] });
      expect(started.requests).toHaveLength(2);
    },
  );
});

describe('a structured answer', () => {
  const right = { kind: 'bug', summary: 'It adds wrongly.', acceptance_criteria: [], risk: 'low', open_questions: [] };

  async function triage(texts: readonly string[], options: ScriptOptions = {}) {
    const started = start((answered) => ({ text: texts[answered] ?? 'Too far.' }), options);
    return { ...started, result: () => started.runner.run('triager', { issue, repo }, started.context) };
  }

  it.each([JSON.stringify(right), `\`\`\`json\n${JSON.stringify(right, null, 2)}\n\`\`\`\n`])(
    'is taken as it comes: %j',
    async (text) => {
      const { result, requests, events, live } = await triage([text]);
      expect((await result()).output).toEqual(right);
      expect(requests).toHaveLength(1);
      expect(events).toEqual([{ type: 'agent.message', data: { agent: 'triager', text: 'It adds wrongly.' } }]);
      expect(live).toEqual([]);
    },
  );

  it('is corrected once, with the reason', async () => {
    const { result, requests, journal } = await triage([
      JSON.stringify({ ...right, risk: 'huge' }),
      JSON.stringify(right),
    ]);
    expect((await result()).output).toEqual(right);
    expect(requests).toEqual([0, 1]);
    const asked = journal.flatMap((entry) =>
      entry.kind === 'message' ? [entry.message as { role: string; content: string }] : [],
    );
    expect(asked.at(-2)).toMatchObject({ role: 'user', content: expect.stringContaining('risk') });
  });

  it('fails when it is wrong twice, and gets one more chance in the next attempt', async () => {
    const { result, requests, journal } = await triage(['no', '{}']);
    await expect(result()).rejects.toMatchObject({ code: 'agent_output_invalid' });
    expect(requests).toHaveLength(2);
    const next = await triage(['no', '{}', JSON.stringify(right)], { journal });
    expect((await next.result()).output).toEqual(right);
    expect(next.requests).toEqual([2]);
  });
});

describe('cancelling', () => {
  const input = { issue, repo, plan: PLAN, round: 1, feedback: null };

  it.each([{ text: 'I begin to', hang: true }, { silent: true }])(
    'throws the reason in the middle of an answer, also when the model does not listen: %j',
    async (turn) => {
      const controller = new AbortController();
      const reason = new Error('cancelled by a person');
      const started = start(() => turn, { signal: controller.signal });
      const running = started.runner.run('coder', input, started.context);
      running.catch(() => {});
      await eventually(() => expect(started.requests).toHaveLength(1));
      controller.abort(reason);
      await expect(running).rejects.toBe(reason);
      expect(started.journal.map((entry) => entry.kind)).toEqual(['message', 'message']);
    },
  );

  it('throws the reason in the middle of a tool, and writes no result', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled by a person');
    const started = start(() => ({ calls: [call('1', 'run_command', { command: 'make' })] }), {
      signal: controller.signal,
      command: () =>
        new Promise((_resolve, reject) => {
          controller.signal.addEventListener('abort', () => reject(new AppError('tool_refused')));
          controller.abort(reason);
        }),
    });
    await expect(started.runner.run('coder', input, started.context)).rejects.toBe(reason);
    expect(started.journal.map((entry) => entry.kind)).toEqual(['message', 'message', 'message', 'usage', 'begin']);
  });

  it('records what a tool has done, and starts no other', async () => {
    const controller = new AbortController();
    const reason = new Error('the server is shutting down');
    const calls = [call('1', 'run_command', { command: 'make' }), call('2', 'run_command', { command: 'more' })];
    const started = start(() => ({ calls }), {
      signal: controller.signal,
      command: async () => {
        controller.abort(reason);
        return 'made';
      },
    });
    await expect(started.runner.run('coder', input, started.context)).rejects.toBe(reason);
    expect(started.commands).toEqual(['make']);
    expect(started.journal.at(-1)).toMatchObject({ kind: 'result', callId: '1' });
  });

  it('throws the reason before anything when it comes early, and a time-out as a failure', async () => {
    const reason = new Error('too late');
    await expect(code([{ text: 'x' }], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(code([{ text: 'x', hang: true }], { turnTimeoutMs: 50 })).rejects.toThrow(
      'had not finished its answer',
    );
    await expect(code([{ silent: true }], { turnTimeoutMs: 50 })).rejects.toThrow('had not finished its answer');
  });
});
