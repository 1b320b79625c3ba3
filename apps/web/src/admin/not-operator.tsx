import { EmptyState } from '../ui/empty-state.tsx';
import styles from './admin.module.css';

/** What somebody sees here who does not run this server. @param email of their account, if it has one */
export function NotOperator({ email }: { readonly email: string | null }) {
  return (
    <EmptyState
      title="This page is for operators"
      action={<code className={styles.command}>sluice admin users grant-operator {email ?? 'YOUR_ACCOUNT'}</code>}
    >
      It shows the users, the queue, the workers and the configuration of this server. An operator can make you one on
      this page, or with this command on the server's machine:
    </EmptyState>
  );
}
