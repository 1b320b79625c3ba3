import { MODEL_NEEDED, type PlanDraft } from '@sluice/core/pipeline';
import { allFenced, insideFence } from '../roles/fence.ts';
import { TEST_STRATEGY } from './plan-from-forms.ts';

const MAX_PLACES = 8;
const EXCERPT_LINES = 12;

interface Place {
  readonly path: string;
  readonly lines: string;
  readonly text: string;
}

interface PlannedHits {
  readonly title: string;
  readonly criteria: readonly string[];
  readonly changes: readonly string[];
  /** What nearly was an edit, each with the words to write. */
  readonly misses: readonly string[];
}

/** A plan for people: where the code index says that the work is likely to be. It cannot be carried out, and says so. */
export function planFromHits(request: string, { title, criteria, changes, misses }: PlannedHits): PlanDraft {
  const places = placesIn(request).slice(0, MAX_PLACES);
  const found =
    places.length === 0
      ? 'The code index found no place that fits its words.'
      : 'The code index ranks these places highest for its words.';
  return {
    summary: [
      `"${title}" does not spell out an exact edit.`,
      ...misses,
      `${found} (built-in, no model)`,
      ...changes,
    ].join(' '),
    steps: places.map(({ path, lines, text }, index) => ({
      title: `Look at ${path}, lines ${lines}`,
      detail: `Rank ${index + 1} by words.\n\n${quotation(text)}`,
      files: [path],
    })),
    acceptance_criteria: [...criteria],
    risks: [...misses, MODEL_NEEDED],
    test_strategy: TEST_STRATEGY,
  };
}

function placesIn(request: string): Place[] {
  return allFenced('hit', insideFence('context', request)).flatMap((hit) => {
    const [, path, lines, code = ''] = /^(.+?):(\d+-\d+)(?: in .*)?\n([\s\S]*)$/.exec(hit) ?? [];
    return path === undefined || lines === undefined ? [] : [{ path, lines, text: code }];
  });
}

/** Quoted, which also keeps an edit that a repository's file happens to hold from being read as one of the plan's. */
function quotation(text: string): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  const shown = lines.slice(0, EXCERPT_LINES).map((line) => `> ${line.replaceAll('\r', '')}`);
  return [...shown, ...(lines.length > EXCERPT_LINES ? ['> …'] : [])].join('\n');
}
