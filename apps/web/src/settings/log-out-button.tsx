import { useLogOut } from '../session/use-log-out.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';

export function LogOutButton() {
  const leave = useLogOut();
  return (
    <>
      {leave.isError && <ErrorNotice error={leave.error} />}
      <Button busy={leave.isPending} onClick={() => leave.mutate()}>
        Log out
      </Button>
    </>
  );
}
