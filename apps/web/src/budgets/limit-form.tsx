import type { MonthlyBudget } from '@sluice/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../session/error-text.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, FormActions, fieldText } from '../ui/form.tsx';
import { limitText, typedLimit } from './budget-words.ts';

type Limit = MonthlyBudget['limit'];

interface LimitFormProps {
  /** Whose budget it is, for the names of the fields' form and its button. */
  readonly of: string;
  readonly limit: Limit;
  readonly save: (limit: Limit) => Promise<unknown>;
}

/** Sets or removes a monthly limit in US dollars, in tokens, or both. */
export function LimitForm({ of, limit, save }: LimitFormProps) {
  const queries = useQueryClient();
  const [isUnreadable, setUnreadable] = useState(false);
  const change = useMutation({
    mutationFn: save,
    onSuccess: () => {
      for (const queryKey of [queryKeys.budgets, queryKeys.audit]) void queries.invalidateQueries({ queryKey });
    },
  });
  const faults = fieldErrors(change.error);
  return (
    <Form
      label={`Budget ${of}`}
      onSubmit={(data) => {
        const typed = typedLimit({ cost_usd: fieldText(data, 'cost_usd'), tokens: fieldText(data, 'tokens') });
        setUnreadable(typed === null);
        if (typed !== null && !change.isPending) change.mutate(typed);
      }}
    >
      <TextField
        label="US dollars a month"
        name="cost_usd"
        inputMode="decimal"
        defaultValue={limitText(limit.cost_usd)}
        hint="Empty: no limit. It holds only calls of models whose price is known."
        error={faults.cost_usd}
      />
      <TextField
        label="Tokens a month"
        name="tokens"
        inputMode="numeric"
        defaultValue={limitText(limit.tokens)}
        hint="Input and output together. Empty: no limit."
        error={faults.tokens}
      />
      {change.isError && <ErrorNotice error={change.error} />}
      <FormActions>
        <Button type="submit" busy={change.isPending}>
          Set the budget {of}
        </Button>
        <span role="status">
          {isUnreadable ? 'Enter a number from 0, or nothing for no limit.' : change.isSuccess && 'The budget is set.'}
        </span>
      </FormActions>
    </Form>
  );
}
