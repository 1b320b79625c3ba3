import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { RemarkAnswer, Review } from '@sluice/core/pipeline';
import * as z from 'zod';
import { BLOCKED, RUNS_NO_COMMANDS } from '../roles/coder-answer.ts';
import { MECHANICAL_REVIEW } from '../roles/reviewer.ts';
import { fenced } from '../tools/fence.ts';
import { coderMove } from './coder-move.ts';
import { type EditForm, operationTitle } from './edit-operation.ts';
import { issueText } from './issue-text.ts';
import { finalAnswer, type ModelMove } from './model-move.ts';
import { planText } from './plan-text.ts';
import { plannerMove } from './planner-move.ts';
import { readTranscript, type Transcript } from './read-prompt.ts';
import { readSpelledForms } from './spelled-forms.ts';
import { triageByWords } from './triage-by-words.ts';
import { writeEditForm } from './write-edit-form.ts';

const NOTHING_USED: LanguageModelV4Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** By the name of the requested structured answer, or of the tool by which it is given. */
const structuredRoles: Readonly<Record<string, (transcript: Transcript) => ModelMove>> = {
  triage: ({ request }) => finalAnswer(JSON.stringify(triageByWords(issueText(request)))),
  submit_plan: plannerMove,
  submit_review: ({ request }) => finalAnswer(JSON.stringify(reviewMechanically(request))),
};

/**
 * The model that works when none is configured. It is not a language model: it carries out the edits that an issue spells
 * out (the forms in `edit-forms.ts`), through the same loop and tools as any model, and reports what it cannot do. It is
 * stateless: the same prompt always gives the same answer, so that an execution can resume after a restart.
 */
export function createBuiltinModel(): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'sluice',
    modelId: 'builtin',
    supportedUrls: {},
    async doGenerate(options) {
      const move = nextMove(options);
      return { content: contentOf(move), finishReason: finishReasonOf(move), usage: NOTHING_USED, warnings: [] };
    },
    async doStream(options) {
      return { stream: streamOf(streamParts(nextMove(options))) };
    },
  };
}

function nextMove({ prompt, responseFormat, tools, abortSignal }: LanguageModelV4CallOptions): ModelMove {
  abortSignal?.throwIfAborted();
  const transcript = readTranscript(prompt);
  const offered = tools?.map(({ name }) => name) ?? [];
  const role = responseFormat?.type === 'json' ? responseFormat.name : offered.find((name) => name in structuredRoles);
  const structured = role === undefined ? undefined : structuredRoles[role];
  if (structured !== undefined)
    return byTool(withUnreadNotes(structured(transcript), transcript), { request: transcript.request, offered });
  if (offered.includes('edit_file'))
    return byTool(withUnreadNotes(coderMove(transcript), transcript), { request: transcript.request, offered });
  return finalAnswer('The built-in model only triages, plans, carries out and reviews edits that an issue spells out.');
}

/** The final answer as a call of the tool that is offered for it. */
function byTool(
  move: ModelMove,
  { request, offered }: { readonly request: string; readonly offered: readonly string[] },
): ModelMove {
  if (move.calls.length > 0) return move;
  const tool = offered.find((name) => name in structuredRoles || name === 'finish');
  if (tool === undefined) return move;
  const isBlocked = move.text.startsWith(BLOCKED);
  const ended = isBlocked
    ? { outcome: 'blocked', summary: move.text.slice(BLOCKED.length).trim() }
    : { outcome: 'done', summary: move.text, not_run_reason: RUNS_NO_COMMANDS };
  const remarks = builtinRemarkAnswers(request);
  const input = {
    ...(tool === 'finish' ? ended : (JSON.parse(move.text) as Record<string, unknown>)),
    ...(remarks !== null && { remarks }),
  };
  return { text: '', calls: [{ id: 'builtin_answer', tool, input }] };
}

function contentOf({ text, calls }: ModelMove): LanguageModelV4Content[] {
  const texts: LanguageModelV4Content[] = text === '' ? [] : [{ type: 'text', text }];
  const called = calls.map(
    ({ id, tool, input }): LanguageModelV4Content => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: tool,
      input: JSON.stringify(input),
    }),
  );
  return [...texts, ...called];
}

function finishReasonOf({ calls }: ModelMove): LanguageModelV4FinishReason {
  return { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined };
}

function* streamParts(move: ModelMove): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  for (const part of contentOf(move)) {
    if (part.type === 'text') {
      yield { type: 'text-start', id: 'text' };
      yield { type: 'text-delta', id: 'text', delta: part.text };
      yield { type: 'text-end', id: 'text' };
    } else if (part.type === 'tool-call') {
      yield { type: 'tool-input-start', id: part.toolCallId, toolName: part.toolName };
      yield { type: 'tool-input-delta', id: part.toolCallId, delta: part.input };
      yield { type: 'tool-input-end', id: part.toolCallId };
      yield part;
    }
  }
  yield { type: 'finish', usage: NOTHING_USED, finishReason: finishReasonOf(move) };
}

/**
 * A review without a model: what the service has seen by looking, and no understanding beyond it. It says so. What a person decides
 * about before the change is published is left to them: no model is here to correct it, and they would never be asked.
 */
function reviewMechanically(request: string): Review {
  const findings = (['must_fix', 'to_judge'] as const).flatMap((tag) => fenced(tag, request)?.split('\n') ?? []);
  return {
    decision: findings.length === 0 ? 'approve' : 'request_changes',
    summary:
      findings.length === 0
        ? MECHANICAL_REVIEW
        : `${findings.length} finding${findings.length === 1 ? '' : 's'}. ${MECHANICAL_REVIEW}`,
    findings,
  };
}

/** A web stream of what is there already. (`ReadableStream.from` is Node's alone, and the browser's types hide it.) */
export function streamOf<Part>(parts: Iterable<Part>): ReadableStream<Part> {
  return new ReadableStream<Part>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

const UNREAD = 'Notes sent meanwhile were not followed (built-in, no model): give them as guidance to a plan.';

const structured = z.looseObject({ summary: z.string() });

/** Adds to the final answer that the notes to the agent were not read. */
function withUnreadNotes(move: ModelMove, { notes }: Pick<Transcript, 'notes'>): ModelMove {
  if (notes.length === 0 || move.calls.length > 0) return move;
  const answer = structuredIn(move.text);
  if (answer === null) return finalAnswer(`${move.text}\n${UNREAD}`);
  return finalAnswer(JSON.stringify({ ...answer, summary: `${answer.summary} ${UNREAD}` }));
}

function structuredIn(text: string): z.infer<typeof structured> | null {
  try {
    return structured.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const lineSchema = z.object({ id: z.string(), url: z.string() });
type Line = z.infer<typeof lineSchema>;

/**
 * How the built-in model answers the remarks that an issue is about, if any: `done` where it carried out all that a remark
 * spells out, and declined otherwise.
 *
 * @returns null where the request has no remarks
 */
function builtinRemarkAnswers(request: string): RemarkAnswer[] | null {
  const text = fenced('remarks', request);
  if (text === null) return null;
  const lines = text.split('\n').map((line) => lineSchema.parse(JSON.parse(line)));
  const planned = new Set((planText(request)?.forms ?? []).map(asKey));
  const { body } = issueText(request);
  return lines.map((line) => {
    const forms = readSpelledForms(partOf(body, line, lines)).forms.map(({ form }) => form);
    const isDone = forms.length > 0 && forms.every((form) => planned.has(asKey(form)));
    if (!isDone) return { id: line.id, outcome: 'declined', answer: NO_MODEL };
    return { id: line.id, outcome: 'done', answer: `${forms.map(titleOf).join('; ')}.` };
  });
}

const NO_MODEL = 'No model is configured, and this spells out no edit that could be carried out without one.';

/** The part of a follow-up's text that holds one remark: from its heading to the next one, whichever that is. */
function partOf(body: string, { url }: Line, lines: readonly Line[]): string {
  const starts = lines.map((line) => headingEnd(body, line.url)).filter((at) => at >= 0);
  const own = headingEnd(body, url);
  // The text of a review has no heading of its own, and neither has a single comment.
  const start = own >= 0 ? own : body.indexOf('\n---\n') + 1;
  const next = Math.min(...starts.filter((at) => at > start), body.length);
  return body.slice(start, next);
}

function headingEnd(body: string, url: string): number {
  const heading = body.split('\n').find((line) => line.startsWith('Comment on `') && line.endsWith(`: ${url}`));
  return heading === undefined ? -1 : body.indexOf(heading) + heading.length;
}

function asKey(form: EditForm): string {
  return form.kind === 'refused' ? form.reason : writeEditForm(form);
}

function titleOf(form: EditForm): string {
  return form.kind === 'refused' ? 'Refused' : operationTitle(form);
}
