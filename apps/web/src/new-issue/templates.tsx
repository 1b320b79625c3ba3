import type { Repo } from '@sluice/client';
import { visibleText } from '../format/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { type Draft, isUntouched, type Template } from './draft.ts';
import styles from './templates.module.css';

interface TemplatesProps {
  readonly repo: Repo | undefined;
  readonly draft: Draft;
  readonly onChoose: (text: Pick<Template, 'title' | 'body'>) => void;
}

/** The templates for a new issue of the repository. Once something is written, a template would overwrite it. */
export function Templates({ repo, draft, onChoose }: TemplatesProps) {
  const templates = repo?.settings.issue_templates ?? [];
  if (templates.length === 0 || !isUntouched(draft, templates)) return null;
  return (
    <fieldset className={styles.templates}>
      <legend>Begin with a template</legend>
      {templates.map(({ name, title, body }) => (
        <Button
          key={name}
          aria-pressed={draft.title === title && draft.body === body}
          onClick={() => onChoose({ title, body })}
        >
          <bdi>{visibleText(name)}</bdi>
        </Button>
      ))}
    </fieldset>
  );
}
