import { closeReasons, closeWords } from '../format/close-words.ts';
import { Section } from '../ui/section.tsx';
import { CountTable } from './fate-section.tsx';
import type { Figures } from './figure-words.ts';

/** Why people closed pull requests, as far as they have said. */
export function ReasonsSection({ figures: { closed, close_reasons } }: { readonly figures: Figures }) {
  if (closed === 0) return null;
  const said = closeReasons.map((reason) => [closeWords[reason], close_reasons[reason]] as const);
  const unsaid = closed - said.reduce((total, [, count]) => total + count, 0);
  const rows = [...said.filter(([, count]) => count > 0), ...(unsaid > 0 ? [['Not said', unsaid] as const] : [])];
  return (
    <Section title="Why they were closed" id="reasons">
      <CountTable caption="Closed pull requests by reason" heading="Reason" rows={rows} whole={closed} />
    </Section>
  );
}
