import type { SluiceClient } from '@sluice/client';
import { plainLine } from '../terminal/plain-text.ts';
import { renderColumns, type Sheet } from './render-columns.ts';
import { renderDuration } from './render-time.ts';
import { renderCost } from './render-usage.ts';

type Step = Awaited<ReturnType<SluiceClient['issues']['steps']['query']>>['items'][number];

const colours = { running: 'cyan', completed: 'green', failed: 'red', interrupted: 'dim' } as const;

/** Renders one attempt of a stage a line, in the order in which they began. */
export function renderSteps(steps: readonly Step[], sheet: Sheet): string {
  if (steps.length === 0) return sheet.page.isTerminal ? 'Nothing has run yet.' : '';
  return renderColumns(
    steps,
    [
      { title: 'STAGE', cell: ({ stage }) => stage },
      { title: 'ROUND', cell: ({ round }) => String(round), narrow: 'omit' },
      { title: 'ATTEMPT', cell: ({ attempt }) => String(attempt) },
      { title: 'OUTCOME', cell: ({ outcome }) => outcome, colour: ({ outcome }) => colours[outcome] },
      {
        title: 'TIME',
        cell: ({ duration_ms: ms }) => (ms === null ? '' : renderDuration(ms)),
        plain: ({ duration_ms: ms }) => String(ms ?? ''),
      },
      { title: 'TOKENS', cell: ({ usage }) => tokensOf(usage), narrow: 'omit' },
      { title: 'COST', cell: ({ usage }) => (usage === null ? '' : (renderCost(usage) ?? '')), narrow: 'omit' },
      { title: 'DETAIL', cell: ({ detail }) => plainLine(detail ?? ''), colour: () => 'dim', narrow: 'shorten' },
    ],
    sheet,
  );
}

function tokensOf(usage: Step['usage']): string {
  const tokens = usage === null ? 0 : usage.input_tokens + usage.output_tokens;
  return tokens === 0 ? '' : tokens.toLocaleString('en-US');
}
