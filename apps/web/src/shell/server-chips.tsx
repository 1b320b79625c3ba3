import { useQuery } from '@tanstack/react-query';
import { serverQuery } from '../session/queries.ts';
import { Badge } from '../ui/badge.tsx';
import styles from './server-chips.module.css';

const NO_MODEL =
  'No model is configured for writing code. The built-in one makes only the edits that an issue spells out. The operator sets MODEL to change that.';
const NO_SANDBOX =
  'SANDBOX=none: commands of repositories run without a sandbox, with the rights of the server. The operator can change that.';

/** The warnings about this server on every page: that no model writes code, that nothing isolates commands. */
export function ServerChips() {
  const { data } = useQuery(serverQuery);
  const details = data?.details ?? null;
  if (details === null) return null;
  return (
    <div className={styles.chips}>
      {details.models.implement.builtin && (
        <Badge tone="warn" title={NO_MODEL}>
          built-in (no model)
        </Badge>
      )}
      {details.sandbox === 'none' && (
        <Badge tone="bad" title={NO_SANDBOX}>
          sandbox off
        </Badge>
      )}
    </div>
  );
}
