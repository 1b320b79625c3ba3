import { visibleText } from '../format/visible-text.ts';
import { TextArea } from '../ui/field.tsx';
import { leaveOnEscape } from '../ui/leave-on-escape.ts';
import styles from './gate.module.css';
import { useRemarkStore, useRemarks } from './remarking.ts';

interface OpenQuestionsProps {
  readonly questions: readonly string[];
  /** A later revision of the plan was made with the answers, so the questions are folded then. */
  readonly revision: number;
}

/** The open questions of the issue. The answers go to the planner with the other remarks. */
export function OpenQuestions({ questions, revision }: OpenQuestionsProps) {
  const store = useRemarkStore();
  const remarks = useRemarks(store);
  if (questions.length === 0) return null;
  return (
    <details className={styles.questions} open={revision === 1}>
      <summary>
        <h3>Open questions</h3>
      </summary>
      <p className={styles.soft}>Your answers are sent as instructions, and lead to a new revision of the plan.</p>
      {questions.map((question, index) => (
        <TextArea
          // biome-ignore lint/suspicious/noArrayIndexKey: a question is known by its place alone
          key={index}
          label={visibleText(question)}
          rows={2}
          dir="auto"
          value={remarks[`question:${index}`] ?? ''}
          onChange={({ target: { value } }) => store.set(`question:${index}`, value)}
          onKeyDown={leaveOnEscape}
        />
      ))}
    </details>
  );
}
