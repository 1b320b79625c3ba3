import { useState } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { TextField } from '../ui/field.tsx';
import { Section } from '../ui/section.tsx';
import styles from './admin.module.css';
import type { Overview } from './overview-query.ts';

/** The settings of the process that answers, and where each is set. Secrets are named, never shown. */
export function ConfigurationSection({ configuration }: Pick<Overview, 'configuration'>) {
  const [q, setQ] = useState('');
  const needle = q.trim().toLowerCase();
  const found = configuration.filter(({ name, value, path }) =>
    `${name} ${value ?? ''} ${path ?? ''}`.toLowerCase().includes(needle),
  );
  return (
    <Section
      title="Configuration"
      id="configuration"
      about="The variables that are set for the server that answers. All others have their defaults. Values of secrets stay in the server."
    >
      <TextField label="Search the variables" type="search" value={q} onChange={({ target }) => setQ(target.value)} />
      {found.length === 0 ? (
        <p role="status">{configuration.length === 0 ? 'Nothing is set.' : 'No variable matches this search.'}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by the keyboard
        <section className={styles.scroll} tabIndex={0} aria-label="Variables">
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Variable</th>
                <th scope="col">Value</th>
                <th scope="col">Set by</th>
              </tr>
            </thead>
            <tbody>
              {found.map(({ name, value, source, path }) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td>
                    {value === null ? <span className={styles.soft}>secret</span> : <code>{visibleText(value)}</code>}
                  </td>
                  <td className={styles.soft}>{path === null ? source : visibleText(path)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Section>
  );
}
