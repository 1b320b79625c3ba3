export interface HostUser {
  readonly id: number;
  login: string;
  readonly name: string | null;
  email: string | null;
  readonly kind: 'User' | 'Organization' | 'Bot';
}
