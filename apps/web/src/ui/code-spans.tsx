import { visibleText } from '../format/visible-text.ts';

/** A sentence of the service in which names and commands stand between backticks, without any other Markdown. */
export function CodeSpans({ text }: { readonly text: string }) {
  return text.split(/`([^`\n]+)`/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
      <code key={index}>{visibleText(part)}</code>
    ) : (
      visibleText(part)
    ),
  );
}
