import { visibleText } from '../format/visible-text.ts';
import { Button } from '../ui/button.tsx';
import styles from './attachments-field.module.css';
import type { Attached } from './draft.ts';

interface AttachmentsFieldProps {
  readonly attached: readonly Attached[];
  readonly isUploading: boolean;
  /** The server's words about a file that it refused. */
  readonly error: string | undefined;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onRemove: (id: string) => void;
}

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,text/*,.log,.csv,.json,.txt';

/** The files of an issue that is being written. Files that are pasted or dropped into the form come here too. */
export function AttachmentsField({ attached, isUploading, error, onFiles, onRemove }: AttachmentsFieldProps) {
  return (
    <div className={styles.field}>
      <label className={styles.label}>
        Attachments
        <input
          type="file"
          multiple
          accept={ACCEPTED}
          disabled={isUploading}
          onChange={({ target }) => {
            onFiles([...(target.files ?? [])]);
            target.value = ''; // so that the same file can be chosen again
          }}
        />
      </label>
      <p className={styles.hint}>Screenshots and logs, up to 10 MiB each. You can paste and drop them here, too.</p>
      {attached.length > 0 && (
        <ul className={styles.list} aria-label="Attached files">
          {attached.map(({ id, name }) => (
            <li key={id}>
              <bdi>{visibleText(name)}</bdi>
              <Button tone="quiet" aria-label={`Remove ${visibleText(name)}`} onClick={() => onRemove(id)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className={styles.hint}>
        {isUploading ? 'Uploading…' : ''}
      </p>
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {visibleText(error)}
        </p>
      )}
    </div>
  );
}
