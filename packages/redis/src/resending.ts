const MAX_PENDING = 10_000; // far more than change in an outage; streams read the rows by themselves later

interface Outgoing<Message> {
  readonly channel: string;
  /** A later message about the same subject replaces an earlier one. */
  readonly about: string;
  readonly message: Message;
}

/** Sends messages that must arrive: one that could not be sent is kept until `resend`. */
export interface Resending<Message> {
  send(outgoing: Outgoing<Message>): void;
  /** Sends all kept messages again. */
  resend(): void;
}

/**
 * Publishes messages, and publishes them again until they have arrived.
 *
 * @param publish rejects when the message may not have reached the server; publishing twice must be harmless
 */
export function createResending<Message>(publish: (outgoing: Outgoing<Message>) => Promise<void>): Resending<Message> {
  const pending = new Map<string, { readonly number: number; readonly outgoing: Outgoing<Message> }>();
  let sent = 0;

  const attempt = (number: number, outgoing: Outgoing<Message>) => {
    publish(outgoing).catch(() => {
      const key = `${outgoing.channel} ${outgoing.about}`;
      const other = pending.get(key);
      // The failure of an earlier message may be reported after that of a later one.
      if (other === undefined ? pending.size < MAX_PENDING : other.number < number)
        pending.set(key, { number, outgoing });
    });
  };
  return {
    send: (outgoing) => {
      sent += 1;
      attempt(sent, outgoing);
    },
    resend: () => {
      const all = [...pending.values()];
      pending.clear();
      for (const { number, outgoing } of all) attempt(number, outgoing);
    },
  };
}
