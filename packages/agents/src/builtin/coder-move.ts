import { MODEL_NEEDED } from '@sluice/core/pipeline';
import { BLOCKED } from '../roles/coder-answer.ts';
import { isPerhapsDone } from '../tools/agent-tool.ts';
import { applyOperation, needsFile } from './apply-operation.ts';
import { type EditOperation, operationTitle } from './edit-operation.ts';
import { finalAnswer, type ModelMove } from './model-move.ts';
import { planText } from './plan-text.ts';
import type { PlannedCall } from './planned-call.ts';
import type { Transcript } from './read-prompt.ts';
import { wholeFile } from './whole-file.ts';

/** The next answer, or null when this part of the work is done. */
type NextMove = ModelMove | null;

/**
 * The coder's next answer: carries out the operations of the approved plan in order, and nothing else. Its progress is
 * read from the results, by the ids of its calls.
 */
export function coderMove(transcript: Transcript): ModelMove {
  const { feedback } = transcript;
  if (feedback !== null)
    return blocked(`The built-in model cannot repair a returned change, because that needs a model:\n${feedback}`);
  const forms = planText(transcript.request)?.forms ?? [];
  if (forms.length === 0) return blocked(MODEL_NEEDED);
  for (const form of forms) {
    if (form.kind === 'refused')
      return blocked(`The plan holds an edit that is refused, so nothing was changed: ${form.reason}.`);
  }
  const operations = forms.filter((form) => form.kind !== 'refused');
  const work: Work = { transcript, known: new Map(), total: operations.length };
  for (const [index, operation] of operations.entries()) {
    const move = carryOut(work, operation, index + 1);
    if (move !== null) return move;
  }
  const list = operations.map((operation) => `- ${operationTitle(operation)}`).join('\n');
  return finalAnswer(`Carried out as the plan spells it out (built-in, no model):\n${list}`);
}

interface Work {
  readonly transcript: Transcript;
  /** The contents of files after the operations so far, so that they are not read again. */
  readonly known: Map<string, string | null>;
  readonly total: number;
}

function carryOut({ transcript, known, total }: Work, operation: EditOperation, number: number): NextMove {
  const name = `Operation ${number} of ${total} (${operationTitle(operation)})`;
  const id = `builtin_${number}`;
  if (needsFile(operation) && !known.has(operation.path)) {
    const file = wholeFile(transcript, `${id}_read`, operation.path);
    if (file.kind === 'call') return { text: `Reading ${operation.path}.`, calls: [file.call] };
    if (file.kind === 'error') return blocked(`${name} does not apply: ${file.error}`);
    known.set(operation.path, file.text);
  }
  const applied = applyOperation(operation, known.get(operation.path) ?? null);
  if (!applied.ok) return blocked(`${name} does not apply: ${applied.reason}.`);
  for (const [index, call] of applied.calls.entries()) {
    const move = makeCall(transcript, call, { id: `${id}_do_${index + 1}`, name });
    if (move !== null) return move;
    known.set(call.path, call.after);
  }
  return null;
}

/** Makes a call once. After an interruption of the call, checks whether it had its effect before repeating it. */
function makeCall(transcript: Transcript, call: PlannedCall, { id, name }: { id: string; name: string }): NextMove {
  const result = transcript.results.get(id);
  if (result === undefined) return { text: `${name}.`, calls: [{ id, tool: call.tool, input: call.input }] };
  if (result.ok) return null;
  if (!isPerhapsDone(result.text)) return blocked(`${name} does not apply: ${result.text}`);
  const now = wholeFile(transcript, `${id}_check`, call.path);
  if (now.kind === 'call')
    return { text: `${name}: checking whether it was done before the interruption.`, calls: [now.call] };
  const text = now.kind === 'text' ? now.text : null;
  if (text === call.after) return null;
  if (text === call.before) return makeCall(transcript, call, { id: `${id}_again`, name });
  return blocked(`${name} was interrupted, and ${call.path} is neither as before nor as after it.`);
}

function blocked(why: string): ModelMove {
  return finalAnswer(`${BLOCKED} ${why}`);
}
