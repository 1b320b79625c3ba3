import { readFileSync } from 'node:fs';
import type { EconomyFix } from './economy-fix.ts';
import { booksFolder } from './fixes.ts';
import type { Script, ScriptedAnswer, ScriptedRequest } from './scripted-endpoint.ts';

type Call = NonNullable<ScriptedAnswer['calls']>[number];
type Part = (fix: EconomyFix, request: ScriptedRequest) => ScriptedAnswer;

/**
 * A frugal model in Sluice's roles: it reads what it needs in one turn, edits in one turn, tests in one turn, and ends. It
 * answers with a tool where it is offered one for that.
 */
export function sluiceScript(fix: EconomyFix): Script {
  return (request) => {
    const part = Object.entries(parts).find(([words]) => request.system.startsWith(words))?.[1];
    if (part === undefined) throw new Error(`no role begins with: ${request.system.slice(0, 60)}`);
    return part(fix, request);
  };
}

const RENAME = 'rename_symbol';
const TEST = 'node --test 2>&1 | tail -n 40';

const parts: Readonly<Record<string, Part>> = {
  'You triage': ({ title, criteria }) => ({
    text: JSON.stringify({
      kind: 'bug',
      summary: title,
      acceptance_criteria: criteria,
      risk: 'low',
      open_questions: [],
    }),
  }),

  'You plan': (fix, { turn, tools }) => {
    // The service has searched for the words already, so one turn is left of the bare loop's two.
    if (turn === 0) return { calls: [wordSearch(fix.search), ...[...fix.files.slice(0, 3), ...fix.reads].map(read)] };
    return answerBy('submit_plan', tools, {
      summary: `${fix.title}. The change is where the behaviour is, and its callers stay as they are.`,
      steps: fix.steps.map((step) => ({ ...step, detail: `${step.detail}${namedLines(fix, step.files)}` })),
      acceptance_criteria: fix.criteria,
      risks: [],
      test_strategy: 'The tests that are there, and those that the steps add.',
    });
  },

  'You carry out': (fix, { turn, tools, texts }) => {
    const look = fix.rename === null ? placesOf(fix).map(readPlace) : [wordSearch(fix.search)];
    const test = { tool: 'run_command', input: { command: TEST } };
    // A rename by the tool for it lists the places itself, and small files are in the request.
    const isShown = (tools.includes(RENAME) && fix.rename !== null) || texts[0]?.includes('<planned_file>');
    const turns = [...(isShown ? [] : [look]), editCalls(fix, tools), [test]];
    const calls = turns[turn];
    if (calls !== undefined) return { calls };
    const summary = `${fix.title}: done as planned. All tests pass.`;
    if (!tools.includes('finish')) return { text: summary };
    return answerBy('finish', tools, {
      outcome: 'done',
      summary,
      ran: [{ command: TEST, result: 'All tests pass.' }],
    });
  },

  'You review': (fix, { turn, tools }) => {
    // The diff is before it; what it does not show is who else uses the name.
    if (turn === 0) return { calls: [wordSearch(fix.search)] };
    return answerBy('submit_review', tools, {
      decision: 'approve',
      summary: 'Each step of the plan is carried out, nothing else changes, and the tests prove it.',
      findings: [],
    });
  },
};

function answerBy(tool: string, tools: readonly string[], input: object): ScriptedAnswer {
  return tools.includes(tool) ? { calls: [{ tool, input }] } : { text: JSON.stringify(input) };
}

interface Place {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

const LINES_AROUND = 3;

/** Where the edits are, with a few lines around them: a plan that names lines spares the coder the rest of a long file. */
function placesOf({ edits }: EconomyFix): Place[] {
  const places: Place[] = [];
  for (const { path, from } of edits) {
    const text = readFileSync(`${booksFolder}${path}`, 'utf8');
    const start = lineAt(text, text.indexOf(from)) - LINES_AROUND;
    const end = lineAt(text, text.indexOf(from) + from.length) + LINES_AROUND;
    const before = places.at(-1);
    if (before?.path === path && start <= before.end + 1) places.splice(-1, 1, { ...before, end });
    else places.push({ path, start: Math.max(1, start), end });
  }
  return places;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

function namedLines(fix: EconomyFix, files: readonly string[]): string {
  const places = placesOf(fix).filter(({ path }) => files.includes(path));
  const named = places.map(({ path, start, end }) => `${path}:${start}-${end}`);
  return named.length === 0 ? '' : ` (${named.join(', ')})`;
}

function readPlace({ path, start, end }: Place): Call {
  return { tool: 'read_file', input: { path, start_line: start, end_line: end } };
}

function read(path: string): Call {
  return { tool: 'read_file', input: { path } };
}

function wordSearch(word: string): Call {
  return { tool: 'search_text', input: { pattern: `\\b${word}\\b`, limit: 100 } };
}

function editCalls({ edits, rename, files }: EconomyFix, tools: readonly string[]): Call[] {
  const single = edits.map(({ path, from, to }) => {
    return { tool: 'edit_file', input: { path, old_text: from, new_text: to } };
  });
  if (rename === null) return single;
  if (tools.includes(RENAME)) {
    return [...single, { tool: RENAME, input: { old_name: rename.from, new_name: rename.to } }];
  }
  return [...single, ...files.flatMap((path) => wordEdits(path, rename))];
}

/** Without a tool that knows words: one call for each surrounding that the word has in a file. */
function wordEdits(path: string, { from, to }: { readonly from: string; readonly to: string }): Call[] {
  const text = readFileSync(`${booksFolder}${path}`, 'utf8');
  const places = text.match(new RegExp(`[^\\w]${from}[^\\w]`, 'g')) ?? [];
  return [...new Set(places)].map((place) => {
    return {
      tool: 'edit_file',
      input: { path, old_text: place, new_text: place.replace(from, to), replace_all: true },
    };
  });
}
