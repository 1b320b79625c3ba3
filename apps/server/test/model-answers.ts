import type { ModelAnswer, ModelRequest, ModelScript, ScriptedRole } from './model-server.ts';

type Part = (request: ModelRequest) => ModelAnswer | Promise<ModelAnswer>;

/** A script of one part a role; those that are left out do the least that lets an issue pass. */
export function byRole(parts: Partial<Record<ScriptedRole, Part>>): ModelScript {
  const all: Record<ScriptedRole, Part> = { ...least, ...parts };
  return (request) => all[request.role](request);
}

export function call(tool: string, input: object): NonNullable<ModelAnswer['calls']>[number] {
  return { tool, input };
}

export function triageAnswer(): ModelAnswer {
  const triage = {
    kind: 'bug',
    summary: 'What is broken is to be mended.',
    acceptance_criteria: ['The test passes'],
    risk: 'low',
    open_questions: [],
  };
  return { text: JSON.stringify(triage) };
}

/** The coder's end, with a reason why it checked nothing itself. */
export function finish(summary: string): ModelAnswer {
  return byTool('finish', { outcome: 'done', summary, not_run_reason: 'The service runs the tests.' });
}

/** A plan of one step in these files. */
export function planAnswer(files: readonly string[], summary = 'Mend it where it is broken.'): ModelAnswer {
  return byTool('submit_plan', {
    summary,
    steps: [{ title: 'Mend it', detail: `Change ${files.join(' and ')}.`, files }],
    acceptance_criteria: ['The test passes'],
    risks: [],
    test_strategy: 'The test that is there.',
  });
}

export function reviewAnswer(findings: readonly string[] = []): ModelAnswer {
  const decision = findings.length === 0 ? 'approve' : 'request_changes';
  return byTool('submit_review', { decision, summary: 'I have looked at the change.', findings });
}

/** Which round of the coder's a request belongs to, from 1. */
export function roundOf({ texts }: ModelRequest): number {
  return 1 + texts.filter((text) => text.includes('Your change was returned')).length;
}

const least: Record<ScriptedRole, Part> = {
  triager: triageAnswer,
  planner: ({ turn }) =>
    turn === 0 ? { calls: [call('read_file', { path: 'value.txt' })] } : planAnswer(['value.txt']),
  coder: ({ turn }) =>
    turn === 0
      ? { calls: [call('edit_file', { path: 'value.txt', old_text: 'broken', new_text: 'fixed' })] }
      : finish('It is fixed.'),
  reviewer: () => reviewAnswer(),
};

function byTool(tool: string, input: object): ModelAnswer {
  return { calls: [call(tool, input)] };
}
