import { nextId } from "./ids.ts";
import type { EpochMs, Message, State } from "./state.ts";

/** Adds a text, or an e-mail that the platform sends, to the inbox. */
export function deliver(state: State, mail: Pick<Message, "to" | "from" | "body">, now: EpochMs): Message {
  const message = { id: nextId(state, "msg"), ...mail, at: now };
  state.messages.set(message.id, message);
  return message;
}
