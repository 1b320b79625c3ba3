import { createContext, type ReactNode, useContext } from 'react';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Beside the heading: the page's main actions. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Uses the whole width of the window, for a diff or a timeline. */
  readonly wide?: boolean;
}

/** The frame of a page: its heading, its title in the browser, its width. */
export function Page({ title, actions, children, wide = false }: PageProps) {
  return (
    <div className={styles.page} data-wide={wide ? '' : undefined}>
      <PageTitle title={title} />
      <div className={styles.head}>
        <h1 dir="auto">{title}</h1>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** How many things wait for the user. The tab says it before the name of the page. */
export const WaitingCount = createContext(0);

/** Names the page in the tab. */
export function PageTitle({ title }: { readonly title: string }) {
  const waiting = useContext(WaitingCount);
  return <title>{`${waiting > 0 ? `(${waiting}) ` : ''}${title} · Sluice`}</title>;
}
