import type { SluiceClient } from '@sluice/client';
import { plainLine } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { renderTable } from './render-table.ts';

type Step = Awaited<ReturnType<SluiceClient['issues']['steps']['query']>>['items'][number];

const colours = { running: 'cyan', completed: 'green', failed: 'red', interrupted: 'dim' } as const;

/** Renders one attempt of a stage a line, in the order in which they began. */
export function renderSteps(steps: readonly Step[], style: Style): string {
  if (steps.length === 0) return 'Nothing has run yet.';
  const head = ['STAGE', 'ROUND', 'ATTEMPT', 'OUTCOME', 'TIME', 'TOKENS', 'COST', ''].map((word) => style('dim', word));
  const rows = steps.map(({ stage, round, attempt, outcome, duration_ms, usage, detail }) => [
    stage,
    String(round),
    String(attempt),
    style(colours[outcome], outcome),
    duration_ms === null ? '' : renderDuration(duration_ms),
    tokensOf(usage),
    usage === null || usage.cost_usd === null || usage.cost_usd === 0 ? '' : `$${usage.cost_usd.toFixed(4)}`,
    detail === null ? '' : style('dim', plainLine(detail)),
  ]);
  return renderTable([head, ...rows]);
}

function tokensOf(usage: Step['usage']): string {
  const tokens = usage === null ? 0 : usage.input_tokens + usage.output_tokens;
  return tokens === 0 ? '' : tokens.toLocaleString('en-US');
}

function renderDuration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
