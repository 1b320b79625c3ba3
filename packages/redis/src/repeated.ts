const MOST = 10_000; // far more than change in an outage; streams look at the rows by themselves later

interface Word<Message> {
  readonly channel: string;
  /** The later word about the same says all that the earlier one did. */
  readonly about: string;
  readonly message: Message;
}

/** Words that others must hear: one that could not be said is kept, and said again when its owner asks for it. */
export interface Repeated<Message> {
  say(word: Word<Message>): void;
  /** Says all that is kept. */
  sayAgain(): void;
}

/** @param publish rejects when the word may not have reached the server; said twice it must mean the same as once */
export function createRepeated<Message>(publish: (word: Word<Message>) => Promise<void>): Repeated<Message> {
  const kept = new Map<string, { readonly number: number; readonly word: Word<Message> }>();
  let said = 0;

  const send = (number: number, word: Word<Message>) => {
    publish(word).catch(() => {
      const key = `${word.channel} ${word.about}`;
      const other = kept.get(key);
      // An earlier word may be known to have failed after a later one is.
      if (other === undefined ? kept.size < MOST : other.number < number) kept.set(key, { number, word });
    });
  };
  return {
    say: (word) => {
      said += 1;
      send(said, word);
    },
    sayAgain: () => {
      const words = [...kept.values()];
      kept.clear();
      for (const { number, word } of words) send(number, word);
    },
  };
}
