import { useQuery } from '@tanstack/react-query';
import { serverQuery } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './writing-help.module.css';

const EXAMPLE = `Say what is wrong and what should happen instead.

in \`README.md\` replace \`the old text\` with \`the new text\`
`;

/** What an issue should say, and what the built-in model understands where no other one is configured. */
export function WritingHelp({ onInsert }: { readonly onInsert: (example: string) => void }) {
  const server = useQuery(serverQuery);
  const isBuiltIn = server.data?.details?.models.implement.builtin === true;
  if (!isBuiltIn)
    return (
      <details className={styles.help}>
        <summary>What makes an issue easy to carry out?</summary>
        <p>
          What is wrong, how to see it, and what should happen instead. Name files and functions if you know them. A
          small edit can be spelled out on a line of its own:
        </p>
        <Form />
      </details>
    );
  return (
    <Notice tone="info" action={<Button onClick={() => onInsert(EXAMPLE)}>Insert an example</Button>}>
      <p>
        <strong>This server has no model.</strong> The built-in one makes the edits that the issue spells out, each on a
        line of its own, and nothing else:
      </p>
      <Form />
      <p>
        The file is one of the repository you chose, and the old text stands in it once; with <code>replace all</code>{' '}
        it may be there more often. A unified diff in a block works too.
      </p>
    </Notice>
  );
}

function Form() {
  return <pre className={styles.form}>{'in `path/of/a/file` replace `old text` with `new text`'}</pre>;
}
