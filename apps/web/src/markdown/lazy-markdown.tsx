import { lazy, Suspense } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import styles from './lazy-markdown.module.css';

const Rendered = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }));

/** Markdown whose renderer loads when it is needed first; the plain text stands there until then, and if it fails. */
export function LazyMarkdown({ text }: { readonly text: string }) {
  const plain = <p className={styles.plain}>{visibleText(text)}</p>;
  return (
    <ErrorBoundary fallback={() => plain}>
      <Suspense fallback={plain}>
        <Rendered text={text} />
      </Suspense>
    </ErrorBoundary>
  );
}
