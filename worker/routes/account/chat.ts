import { Hono } from "hono";
import { loadChatIdentifier, recordChatIdentifier } from "../../../db/queries/accounts/chat-contacts.ts";
import { chatIdentifier, chatIdentity } from "../../accounts/chat-identity.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { readsAhead } from "../../http/gate/read-ahead.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { loadCallerRecord, recordAhead } from "../caller.ts";

const identifierAhead = readsAhead((c, driverId) => {
  const known = loadChatIdentifier(c.var.db, driverId);
  // The handler hears of a failure.
  known.catch(() => {});
  c.set("chatAhead", known);
});

/** The driver's identity in the support chat. There is none where the chat isn't offered, or hidden from this number. */
export const chatRoutes = new Hono<AppEnv>().use(recordAhead, identifierAhead).get("/", async (c) => {
  const { deps, db, chatAhead } = c.var;
  const { chat, productName } = deps.config;
  const [record, known] = await Promise.all([loadCallerRecord(c), chatAhead]);
  if (!chat?.isShown || record.row.phoneNumber === chat.hiddenPhone) throw new ApiError("not_found");
  const { hmacKey, api } = chat;
  const now = deps.now();
  // Without the chat's API the contact couldn't follow: the identifier stays.
  const endedAt = api ? known.endedAt : null;
  const identifier = chatIdentifier(record.row, { productName, present: known.present, endedAt });
  await recordChatIdentifier(db, { driverId: record.row.id, identifier, now });
  return c.json(await chatIdentity(record, { identifier, hmacKey, productName, now }), 200);
});
