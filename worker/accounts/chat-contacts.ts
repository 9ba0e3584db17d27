import * as z from "zod";
import {
  areContactsStuck,
  finishChatContact,
  listDueChatContacts,
  loadChatIdentifiers,
  postponeChatContact,
  recordChatIdentifiers,
  type ChatContact,
} from "../../db/queries/accounts/chat-contacts.ts";
import type { DriverRecord } from "../../db/queries/accounts/drivers.ts";
import { HOUR_MS, MINUTE_MS, type DurationMs } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { httpExchange } from "../../durable/platform/http-exchange.ts";
import { noteFailures } from "../../durable/runtime/call-failure.ts";
import { chatIdentifier } from "./chat-identity.ts";

/** Contacts per minute. Each takes three calls at most. */
const BATCH_SIZE = 10;
/** Of the longest wait between two tries. */
const LONGEST_WAIT_MS = HOUR_MS;
/** The tries of about a day: a token that was revoked doesn't come back by itself. */
const STUCK_TRIES = 24;

/** A contact of a deleted account stays at the chat, or another doesn't follow its driver. */
class StuckContactError extends Error {
  override name = "StuckContactError";
}

/**
 * A driver's identifier at the chat becomes another once a sign-in has ended, so that what that one was given opens nothing
 * more. Without the chat's API the contact couldn't follow, and it stays.
 */
export async function renewChatIdentifiers(
  { db, now, config: { chat, productName } }: Pick<Deps, "db" | "now" | "config">,
  drivers: readonly Pick<DriverRecord, "row">[],
): Promise<void> {
  if (!chat?.api || drivers.length === 0) return;
  const known = await loadChatIdentifiers(
    db,
    drivers.map(({ row }) => row.id),
  );
  const renewed = drivers.flatMap(({ row }) => {
    const own = known.get(row.id);
    if (!own) return [];
    const identifier = chatIdentifier(row, { productName, ...own });
    return identifier === own.present ? [] : [{ driverId: row.id, identifier }];
  });
  await recordChatIdentifiers(db, renewed, now());
}

/**
 * Every minute: deletes the contacts of deleted accounts at the chat, and lets others follow their driver's number.
 * @throws {StuckContactError} after all, if the chat has refused one for a day
 */
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
  if (await areContactsStuck(db, STUCK_TRIES)) throw new StuckContactError();
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

const TIMEOUT_MS: DurationMs = 10_000;

const contact = z.object({ id: z.union([z.int(), z.string()]), identifier: z.string().nullish() });
const found = z.object({ payload: z.array(z.unknown()) });

/** The chat did not do what it was asked. */
export class ChatApiError extends Error {
  override name = "ChatApiError";
}

/** A contact's id at the chat. */
type ContactId = z.infer<typeof contact>["id"];

/** Our calls about contacts at the chat. Each throws `ChatApiError` if the chat refuses it or can't be reached. */
type ChatApi = {
  findContact(identifier: string): Promise<ContactId | null>;
  /** A contact that is online can't be deleted: the chat refuses until its page is closed. */
  deleteContact(id: ContactId): Promise<void>;
  renameContact(id: ContactId, identifier: string): Promise<void>;
  /** Moves the conversations of a contact to another, and deletes the first. */
  mergeContact(id: ContactId, into: ContactId): Promise<void>;
};

/** Chatwoot's application API, with the token of one of its agents: https://developers.chatwoot.com/api-reference */
export function createChatApi(
  { url, accountId, apiToken }: { url: string; accountId: string; apiToken: string },
  { send, log }: Pick<Deps, "send" | "log">,
): ChatApi {
  const note = noteFailures("chat", log);
  const base = `${url}/api/v1/accounts/${accountId}`;
  const call = async (method: string, path: string, body?: Record<string, unknown>) => {
    const received = await httpExchange(
      {
        url: `${base}${path}`,
        method,
        headers: { api_access_token: apiToken, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      },
      { send, note, limitMs: TIMEOUT_MS },
    );
    if (received.kind !== "arrived") throw new ChatApiError(received.kind);
    return received;
  };
  const order = async (method: string, path: string, body?: Record<string, unknown>) => {
    const { status } = await call(method, path, body);
    // Gone meanwhile: what is looked for by the next try decides.
    if (status < 200 || status > 299) throw new ChatApiError(`status ${status}`);
  };
  return {
    async findContact(identifier) {
      const { status, text } = await call("GET", `/contacts/search?q=${encodeURIComponent(identifier)}`);
      if (status !== 200) throw new ChatApiError(`status ${status}`);
      const contacts = found.parse(JSON.parse(text)).payload.flatMap((item) => {
        const parsed = contact.safeParse(item);
        return parsed.success ? [parsed.data] : [];
      });
      // The search also finds parts of identifiers, names and numbers.
      return contacts.find((one) => one.identifier === identifier)?.id ?? null;
    },
    deleteContact: (id) => order("DELETE", `/contacts/${id}`),
    renameContact: (id, identifier) => order("PUT", `/contacts/${id}`, { identifier }),
    mergeContact: (id, into) =>
      order("POST", "/actions/contact_merge", { base_contact_id: into, mergee_contact_id: id }),
  };
}
