import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { queryClient, sluice } from './sluice.ts';

export function Login() {
  const login = useMutation(
    sluice.auth.login.mutationOptions({
      onSuccess: (user) => queryClient.setQueryData(sluice.auth.me.queryKey(), user),
    }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    login.mutate({ email: String(form.get('email')), password: String(form.get('password')) });
  };
  return (
    <form onSubmit={submit}>
      <label>
        E-mail <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button type="submit" disabled={login.isPending}>
        Log in
      </button>
      {login.isError && <p role="alert">{login.error.message}</p>}
    </form>
  );
}
