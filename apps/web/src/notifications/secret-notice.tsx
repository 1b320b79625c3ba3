import type { NotificationTarget } from '@sluice/client';
import { useMutation } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useTargetsChanged } from './notification-queries.ts';
import styles from './notifications.module.css';

/** Shows a secret, for the only time. */
export function SecretNotice({ secret }: { readonly secret: string }) {
  return (
    <>
      {/* The button that was pressed is gone. The focus is on no button, or a second Enter would close the dialog. */}
      <p ref={(text) => text?.focus()} tabIndex={-1}>
        Every delivery is signed with this secret. Give it to the receiver now: it is not shown again. A chat needs
        none.
      </p>
      <p className={styles.secret}>
        <code>{secret}</code>
        <CopyButton text={() => secret} label="Copy the secret" />
      </p>
    </>
  );
}

interface NewSecretProps {
  readonly target: NotificationTarget;
  readonly onSecret: (secret: string) => void;
}

/** Gives a webhook a new secret. */
export function NewSecret({ target: { id }, onSecret }: NewSecretProps) {
  const changed = useTargetsChanged();
  const rotate = useMutation({
    mutationFn: () => client.notifications.rotateSecret.mutate({ id }),
    onSuccess: ({ secret }) => {
      void changed();
      onSecret(secret);
    },
  });
  return (
    <div className={styles.rotation}>
      <Button busy={rotate.isPending} onClick={() => rotate.mutate()}>
        Make a new secret
      </Button>
      <span className={styles.soft}>The old one signs beside it for a day.</span>
      {rotate.isError && <ErrorNotice error={rotate.error} />}
    </div>
  );
}
