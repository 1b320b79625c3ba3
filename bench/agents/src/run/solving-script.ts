import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUBMITTED } from '../agent/bash-prompt.ts';
import type { Script, ScriptedAnswer } from '../economy/scripted-endpoint.ts';
import type { Task } from '../task/task.ts';

/** A model that knows the solution of a task, in Sluice's roles and in the bash loop. */
export function solvingScript(task: Task): Script {
  const patch = readFileSync(join(task.folder, 'solution/change.patch'), 'utf8');
  const files = [...patch.matchAll(/^diff --git a\/(\S+) b\//gm)].map(([, path = '']) => path);
  return ({ system, turn, tools }) => {
    if (system.startsWith('You triage')) return { text: JSON.stringify(triage(task)) };
    if (system.startsWith('You plan'))
      return turn === 0 ? reads(files) : answerBy('submit_plan', tools, plan(task, files));
    if (system.startsWith('You review')) return turn === 0 ? reads(files) : answerBy('submit_review', tools, APPROVAL);
    if (!system.startsWith('You carry out')) return bashTurn(patch, turn);
    if (turn === 0) return reads(files);
    if (turn === 1) return { calls: edits(patch) };
    if (turn === 2) return { calls: [{ tool: 'run_command', input: { command: task.testCommand ?? 'true' } }] };
    const summary = 'The solution is carried out, and the tests ran.';
    if (!tools.includes('finish')) return { text: summary };
    const ran = [{ command: task.testCommand ?? 'true', result: 'It passed.' }];
    return answerBy('finish', tools, { outcome: 'done', summary, ran });
  };
}

const APPROVAL = { decision: 'approve', summary: 'It does what the plan says.', findings: [] };

function triage({ instruction }: Task) {
  const summary = instruction.split('\n')[0] ?? '';
  return { kind: 'bug', summary, acceptance_criteria: [summary], risk: 'low', open_questions: [] };
}

function plan({ instruction }: Task, files: readonly string[]) {
  const summary = instruction.split('\n')[0] ?? '';
  return {
    summary,
    steps: [{ title: 'Carry out the solution', detail: instruction, files }],
    acceptance_criteria: [summary],
    risks: [],
    test_strategy: 'The tests of the repository.',
  };
}

function reads(files: readonly string[]): ScriptedAnswer {
  return { calls: files.map((path) => ({ tool: 'read_file', input: { path } })) };
}

function answerBy(tool: string, tools: readonly string[], input: object): ScriptedAnswer {
  return tools.includes(tool) ? { calls: [{ tool, input }] } : { text: JSON.stringify(input) };
}

/** Each hunk of a patch as the replacement of its old lines by its new ones; a new file as a whole. */
function edits(patch: string): NonNullable<ScriptedAnswer['calls']> {
  return patch
    .split(/^diff --git /m)
    .slice(1)
    .flatMap((part): { tool: string; input: object }[] => {
      const path = /^a\/\S+ b\/(\S+)/.exec(part)?.[1] ?? '';
      const hunks = part.split(/^@@ .*$/m).slice(1);
      const side = (hunk: string, own: string) =>
        hunk
          .split('\n')
          .filter((line) => line.startsWith(own) || line.startsWith(' '))
          .map((line) => line.slice(1))
          .join('\n');
      if (/^new file/m.test(part))
        return [{ tool: 'write_file', input: { path, content: `${side(hunks[0] ?? '', '+')}\n` } }];
      return hunks.map((hunk) => {
        return { tool: 'edit_file', input: { path, old_text: side(hunk, '-'), new_text: side(hunk, '+') } };
      });
    });
}

function bashTurn(patch: string, turn: number): ScriptedAnswer {
  const commands = ['ls', `git apply - <<'END_OF_PATCH'\n${patch}END_OF_PATCH`, 'git diff --stat'];
  return { text: 'Next.', calls: [{ tool: 'bash', input: { command: commands[turn] ?? `echo ${SUBMITTED}` } }] };
}
