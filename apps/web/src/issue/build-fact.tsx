import { useQuery } from '@tanstack/react-query';
import { buildNotes, buildWords } from '../format/build-words.ts';
import { visibleText } from '../format/visible-text.ts';
import { outcomeQuery } from '../session/issue-queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Fact } from '../ui/fact.tsx';
import { OutsideLink } from '../ui/outside-link.tsx';

/** How the build of the pull request stands at the code host; nothing where none is known. */
export function BuildFact({ id }: { readonly id: string }) {
  const { data: outcome } = useQuery(outcomeQuery(id));
  const build = outcome?.build ?? null; // absent in answers of older servers
  if (build === null) return null;
  const { badge, tone } = buildWords[build.verdict];
  const names = build.failed.map(visibleText).join(', ');
  return (
    <Fact name="Build">
      <OutsideLink href={build.url}>{names === '' ? 'at the code host' : names}</OutsideLink>
      <Badge tone={tone} title={buildNotes(build).map(visibleText).join(' ')}>
        {badge}
      </Badge>
    </Fact>
  );
}
