import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { visibleText } from '../format/visible-text.ts';
import { htmlAsText } from './html-as-text.ts';
import styles from './markdown.module.css';

const MAX_CHARACTERS = 200_000; // an issue's body has at most 64 KiB; a tool's answer may be longer

/**
 * Untrusted Markdown: HTML is shown as it is written, no image is fetched, a link says where it leads and opens nothing of this page. Text beyond
 * 200,000 characters is left out, and that is said.
 */
export function Markdown({ text }: { readonly text: string }) {
  const isCut = text.length > MAX_CHARACTERS;
  return (
    <div className={styles.markdown} dir="auto">
      <ReactMarkdown remarkPlugins={[remarkGfm, htmlAsText]} rehypePlugins={[rehypeSanitize]} components={components}>
        {visibleText(isCut ? text.slice(0, MAX_CHARACTERS) : text)}
      </ReactMarkdown>
      {isCut && <p>The rest of this text is too long to be shown.</p>}
    </div>
  );
}

const components: Components = {
  // A remote image would tell its server who reads this; the policy of the page refuses it anyway.
  img: ({ alt, src }) => (
    <span className={styles.image}>{`[image: ${alt || 'without a description'}] ${src ?? ''}`}</span>
  ),
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener nofollow" title={href}>
      {children}
    </a>
  ),
  // A document inside a page: its headings stand below the page's own.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
};
