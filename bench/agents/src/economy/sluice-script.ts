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
      steps: fix.steps,
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

/** The part of a long file that a coder reads: the definition of a symbol, or lines. */
type Place = { readonly path: string } & (
  | { readonly symbol: string }
  | { readonly start_line: number; readonly end_line: number }
);

/**
 * The functions that the edits are in. Of a test, which has no symbol, the lines: a search for the word shows them. The first
 * lines of a test file too, because they say what it imports.
 */
function placesOf({ edits }: EconomyFix): Place[] {
  const paths = [...new Set(edits.map((edit) => edit.path))];
  return paths.flatMap((path) => {
    const text = readFileSync(`${booksFolder}${path}`, 'utf8');
    const starts = edits.filter((edit) => edit.path === path).map(({ from }) => text.indexOf(from));
    const wanted = sectionsOf(text).filter(
      ({ from, to }, at) =>
        (at === 0 && path.startsWith('test/')) || starts.some((start) => start >= from && start < to),
    );
    return wanted.map(({ from, to }) => {
      const symbol = /^export function (\w+)/m.exec(text.slice(from, to))?.[1];
      if (symbol !== undefined) return { path, symbol };
      return {
        path,
        start_line: lineAt(text, from),
        end_line: lineAt(text, from + text.slice(from, to).trimEnd().length),
      };
    });
  });
}

/** The parts of a file between blank lines behind which a line begins at the margin: in this repository, its definitions. */
function sectionsOf(text: string): { readonly from: number; readonly to: number }[] {
  const bounds = [0, ...[...text.matchAll(/\n\n(?=\S)/g)].map(({ index }) => index + 2), text.length];
  return bounds.slice(0, -1).map((from, at) => ({ from, to: bounds[at + 1] ?? text.length }));
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

function readPlace(place: Place): Call {
  return { tool: 'read_file', input: place };
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
