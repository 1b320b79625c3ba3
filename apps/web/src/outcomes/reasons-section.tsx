import { closeReasons, closeWords } from '../format/close-words.ts';
import { Section } from '../ui/section.tsx';
import { CountTable } from './fate-section.tsx';
import type { Figures } from './figure-words.ts';

/** Why people closed pull requests, as far as they have said. */
export function ReasonsSection({ figures: { closed, close_reasons } }: { readonly figures: Figures }) {
  if (closed === 0) return null;
  const reasons = closeReasons.map((reason) => [closeWords[reason], close_reasons[reason]] as const);
  const withoutReason = closed - reasons.reduce((total, [, count]) => total + count, 0);
  const rows = [
    ...reasons.filter(([, count]) => count > 0),
    ...(withoutReason > 0 ? [['Not said', withoutReason] as const] : []),
  ];
  return (
    <Section title="Why they were closed" id="reasons">
      <CountTable caption="Closed pull requests by reason" heading="Reason" rows={rows} whole={closed} />
    </Section>
  );
}
