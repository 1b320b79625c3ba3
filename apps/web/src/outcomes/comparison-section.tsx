import type { Outcomes } from '@sluice/client';
import { visibleText } from '../format/visible-text.ts';
import { Section } from '../ui/section.tsx';
import { figureColumns } from './figure-words.ts';
import styles from './outcomes.module.css';

const titles = { repo: 'By repository', model: 'By model', prompt_revision: 'By prompt revision' } as const;

/** The groups side by side, in the order of their first pull requests: none is better for standing above another. */
export function ComparisonSection({ outcomes: { group_by, groups, total } }: { readonly outcomes: Outcomes }) {
  if (group_by === null) return null;
  return (
    <Section title={titles[group_by]} id="comparison">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by the keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={titles[group_by]}>
        <table className={styles.comparison}>
          <thead>
            <tr>
              <th scope="col">Group</th>
              {figureColumns.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ group, repo_id, ...figures }) => (
              <tr key={repo_id ?? group ?? ''}>
                <th scope="row">{group === null ? 'not recorded' : <bdi>{visibleText(group)}</bdi>}</th>
                {figureColumns.map(({ name, words }) => (
                  <td key={name}>{words(figures)}</td>
                ))}
              </tr>
            ))}
            <tr>
              <th scope="row">All</th>
              {figureColumns.map(({ name, words }) => (
                <td key={name}>{words(total)}</td>
              ))}
            </tr>
          </tbody>
        </table>
      </section>
    </Section>
  );
}
