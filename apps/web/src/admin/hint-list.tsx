import { Notice } from '../ui/notice.tsx';
import type { OperatorHint } from './operator-hints.ts';

/** What the operator should do something about. */
export function HintList({ hints }: { readonly hints: readonly OperatorHint[] }) {
  return hints.map(({ tone, text }) => (
    <Notice key={text} tone={tone}>
      {text}
    </Notice>
  ));
}
