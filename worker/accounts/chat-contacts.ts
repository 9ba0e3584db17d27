import {
  finishChatContact,
  listDueChatContacts,
  loadChatIdentifier,
  postponeChatContact,
  recordChatIdentifier,
  type ChatContact,
} from "../../db/queries/accounts/chat-contacts.ts";
import type { DriverRecord } from "../../db/queries/accounts/drivers.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { createChatApi, type ChatApi } from "./chat-api.ts";
import { chatIdentifier } from "./chat-identity.ts";

/** Contacts per minute. Each takes three calls at most. */
const BATCH_SIZE = 10;
/** Of the longest wait between two tries. */
const LONGEST_WAIT_MS = HOUR_MS;

/**
 * A driver's identifier at the chat becomes another once a sign-in has ended, so that what that one was given opens nothing
 * more. Without the chat's API the contact couldn't follow, and it stays.
 */
export async function renewChatIdentifier(
  { db, now, config: { chat, productName } }: Pick<Deps, "db" | "now" | "config">,
  { row }: Pick<DriverRecord, "row">,
): Promise<void> {
  if (!chat?.api) return;
  const { present, endedAt } = await loadChatIdentifier(db, row.id);
  if (present === null) return;
  const identifier = chatIdentifier(row, { productName, present, endedAt });
  if (identifier !== present) await recordChatIdentifier(db, { driverId: row.id, identifier, now: now() });
}

/** Every minute: deletes the contacts of deleted accounts at the chat, and lets others follow their driver's number. */
export async function followChatContacts(deps: Deps): Promise<void> {
  const { db, now, config, log } = deps;
  const { chat } = config;
  if (!chat?.api) return;
  const api = createChatApi({ url: chat.url, ...chat.api }, deps);
  for (const contact of await listDueChatContacts(db, now(), BATCH_SIZE)) {
    try {
      await follow(api, contact);
      await finishChatContact(db, contact);
    } catch (error) {
      const { driverId, tries } = contact;
      log("warn", "chat.contact.failed", { driverId, tries, ...describeError(error) });
      const waitMs = Math.min(MINUTE_MS * 2 ** Math.min(tries, 10), LONGEST_WAIT_MS);
      await postponeChatContact(db, contact, now() + waitMs);
    }
  }
}

async function follow(api: ChatApi, { identifier, successor, isDeleted }: ChatContact): Promise<void> {
  const id = await api.findContact(identifier);
  if (id === null) return;
  if (isDeleted) return api.deleteContact(id);
  if (successor === null) return;
  // The driver has opened the chat since: both have conversations.
  const present = await api.findContact(successor);
  await (present === null ? api.renameContact(id, successor) : api.mergeContact(id, present));
}
