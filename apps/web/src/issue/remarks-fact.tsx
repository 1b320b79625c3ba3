import type { Issue } from '@sluice/client';
import { useMilestones } from '../events/use-milestones.ts';
import { remarkWords } from '../format/remark-words.ts';
import { visibleText } from '../format/visible-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Fact } from '../ui/fact.tsx';
import { OutsideLink } from '../ui/outside-link.tsx';

/** The remarks on a pull request that a follow-up is about, and what became of each; nothing for other issues. */
export function RemarksFact({ issue }: { readonly issue: Issue }) {
  const { remarks: answered } = useMilestones(issue);
  const cause = issue.follow_up;
  const remarks = cause?.kind === 'comment' || cause?.kind === 'review' ? (cause.remarks ?? []) : [];
  if (remarks.length === 0) return null;
  return (
    <Fact name={remarks.length === 1 ? 'Remark' : 'Remarks'}>
      {remarks.map(({ id, path, line, url, text }) => {
        const outcome = answered[id];
        return (
          <span key={id} title={visibleText(text)}>
            <OutsideLink href={url}>
              {path === null ? 'in the conversation' : visibleText(`${path}${line === null ? '' : `:${line}`}`)}
            </OutsideLink>{' '}
            <Badge>{outcome === undefined ? 'no answer yet' : remarkWords[outcome]}</Badge>{' '}
          </span>
        );
      })}
    </Fact>
  );
}
