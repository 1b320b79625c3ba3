import { visibleText } from '../format/visible-text.ts';

/**
 * A sentence of the service with its names and commands, which stand between backticks, as code. The backticks stay: they may
 * be what the sentence teaches, and belong to what is copied.
 */
export function CodeSpans({ text }: { readonly text: string }) {
  return text.split(/(`[^`\n]+`)/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
      <code key={index}>{visibleText(part)}</code>
    ) : (
      visibleText(part)
    ),
  );
}
