/** An answer in a form that we cannot read, from a server that was reached and did not refuse. */
export class UnreadableAnswer extends Error {
  /** The type that the server gave it; null where it gave none. */
  readonly contentType: string | null;
  /** How the answer begins. */
  readonly start: string;
  readonly expected: string;
  /** The body of the request, so that an echo of it can be found; never shown. */
  readonly #sent: string;

  constructor(facts: Pick<UnreadableAnswer, 'contentType' | 'start' | 'expected'>, sent = '') {
    super('its answer cannot be read');
    this.name = 'UnreadableAnswer';
    this.contentType = facts.contentType;
    this.start = facts.start;
    this.expected = facts.expected;
    this.#sent = sent;
  }

  sent(): string {
    return this.#sent;
  }
}
