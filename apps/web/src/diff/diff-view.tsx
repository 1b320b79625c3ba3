import type { Issue } from '@sluice/client';

interface DiffViewProps {
  readonly issue: Issue;
  /** A path to scroll to. */
  readonly file?: string | undefined;
  /** What the diff is searched for. */
  readonly q?: string | undefined;
}

export function DiffView({ issue }: DiffViewProps) {
  return <p>{issue.status}</p>;
}
