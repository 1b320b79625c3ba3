import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { visibleText } from '../format/visible-text.ts';
import { reposQuery } from '../session/queries.ts';
import { type OutcomePeriod, type OutcomesSearch, outcomeGroupings } from '../session/search-params.ts';
import { SelectField } from '../ui/field.tsx';
import styles from './outcomes.module.css';
import { DEFAULT_PERIOD } from './outcomes-question.ts';

const periodWords: Readonly<Record<OutcomePeriod, string>> = {
  '30d': 'The last 30 days',
  '90d': 'The last 90 days',
  '365d': 'The last year',
  all: 'Ever',
};

const groupingWords = { repo: 'Repository', model: 'Model', prompt_revision: 'Prompt revision' } as const;

/** The filters and the comparison. All of it stands in the address. */
export function OutcomeFilters({ search }: { readonly search: OutcomesSearch }) {
  const navigate = useNavigate({ from: '/outcomes' });
  const repos = useQuery(reposQuery);
  const change = (part: OutcomesSearch) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  return (
    <div className={styles.filters}>
      <SelectField
        label="Opened"
        value={search.period ?? DEFAULT_PERIOD}
        onChange={({ target }) => change({ period: target.value as OutcomePeriod })}
      >
        {Object.entries(periodWords).map(([period, words]) => (
          <option key={period} value={period}>
            {words}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Repository"
        value={search.repo ?? ''}
        onChange={({ target }) => change({ repo: target.value || undefined })}
      >
        <option value="">All repositories</option>
        {repos.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {visibleText(name)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Compare by"
        value={search.by ?? ''}
        onChange={({ target }) => change({ by: outcomeGroupings.find((name) => name === target.value) })}
      >
        <option value="">Nothing</option>
        {outcomeGroupings.map((name) => (
          <option key={name} value={name}>
            {groupingWords[name]}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
