import { Tabs } from '@base-ui/react/tabs';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { TextArea } from '../ui/field.tsx';
import styles from './markdown-field.module.css';

interface MarkdownFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A text in Markdown, to be written and to be seen as it will be shown. */
export function MarkdownField({ label, hint, error, value, onChange }: MarkdownFieldProps) {
  return (
    <Tabs.Root defaultValue="write" className={styles.root}>
      <Tabs.List className={styles.tabs} aria-label="Write or preview">
        <Tabs.Tab value="write" className={styles.tab}>
          Write
        </Tabs.Tab>
        <Tabs.Tab value="preview" className={styles.tab}>
          Preview
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="write" tabIndex={-1}>
        <TextArea
          label={label}
          hint={hint}
          error={error}
          rows={12}
          dir="auto"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </Tabs.Panel>
      <Tabs.Panel value="preview">
        <p className={styles.label}>{label}</p>
        <div className={styles.preview}>
          {value.trim() === '' ? (
            <p className={styles.nothing}>Nothing is written yet.</p>
          ) : (
            <LazyMarkdown text={value} />
          )}
        </div>
      </Tabs.Panel>
    </Tabs.Root>
  );
}
