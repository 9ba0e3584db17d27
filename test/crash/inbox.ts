export type Text = { id: string; body: string; at: number };

/** The driver's texts. The sandbox keeps the latest of them only, so they are read now and then. */
export class Inbox {
  readonly #url: string;
  readonly #texts = new Map<string, Text>();

  constructor(sandboxUrl: string, phoneNumber: string) {
    this.#url = `${sandboxUrl}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`;
  }

  get texts(): readonly Text[] {
    return [...this.#texts.values()];
  }

  async read(): Promise<void> {
    const { messages }: { messages: Text[] } = await (await fetch(this.#url)).json();
    for (const text of messages) this.#texts.set(text.id, text);
  }
}
