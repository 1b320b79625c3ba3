import type { EconomyRow, EconomyRun } from './measure-economy.ts';
import { afterOther, tallyByConversation, tallyOf } from './tally.ts';

const THOUSAND = 1_000;

/** The economy as a table in Markdown: one row a fix, then one a conversation. */
export function renderEconomy(rows: readonly EconomyRow[]): string {
  const heads =
    '| fix | requests | bare loop | input | bare loop | cacheable | bare loop | weighted | bare loop | ratio | ratio of a later issue |';
  const lines = rows.map(({ fix, sluice, bash }, at) => {
    const [ours, bare] = [tallyOf(sluice.requests), tallyOf(bash.requests)];
    const cells = [
      fix.name,
      ...[ours, bare].map(({ requests }) => String(requests)),
      ...[ours, bare].map(({ inputTokens }) => thousands(inputTokens)),
      ...[ours, bare].map(({ cacheableShare }) => `${Math.round(cacheableShare * 100)} %`),
      ...[ours, bare].map(({ weightedTokens }) => thousands(weightedTokens)),
      (ours.weightedTokens / bare.weightedTokens).toFixed(2),
      laterRatio({ fix, sluice, bash }, rows.at(at - 1)),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const parts = rows.flatMap(({ fix, sluice, bash }) => [
    ...conversations(fix.name, sluice),
    ...conversations(fix.name, bash),
  ]);
  return [
    heads,
    heads.replaceAll(/[^|]+/g, '---'),
    ...lines,
    '',
    '| fix | conversation | requests | input | cacheable | weighted | output |',
    '|---|---|---|---|---|---|---|',
    ...parts,
    '',
  ].join('\n');
}

/** The ratio with what both agents sent for another fix still in the cache; the fix before, as good as any other. */
function laterRatio({ fix, sluice, bash }: EconomyRow, other: EconomyRow | undefined): string {
  if (other === undefined || other.fix === fix) return '–';
  const ours = tallyOf(afterOther(sluice.requests, other.sluice.requests));
  const bare = tallyOf(afterOther(bash.requests, other.bash.requests));
  return (ours.weightedTokens / bare.weightedTokens).toFixed(2);
}

function conversations(fix: string, { requests }: EconomyRun): string[] {
  return [...tallyByConversation(requests)].map(([name, tally]) => {
    const { inputTokens, cacheableShare, weightedTokens, outputTokens } = tally;
    const sizes = [thousands(inputTokens), `${Math.round(cacheableShare * 100)} %`, thousands(weightedTokens)];
    return `| ${fix} | ${name} … | ${tally.requests} | ${sizes.join(' | ')} | ${thousands(outputTokens)} |`;
  });
}

function thousands(tokens: number): string {
  return `${(tokens / THOUSAND).toFixed(1)}k`;
}
