import { Hono } from "hono";
import { recordChatIdentifier } from "../../../db/queries/accounts/chat-contacts.ts";
import { chatIdentity } from "../../accounts/chat-identity.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { loadCallerRecord, recordAhead } from "../caller.ts";

/** The driver's identity in the support chat. There is none where the chat isn't offered, or hidden from this number. */
export const chatRoutes = new Hono<AppEnv>().use(recordAhead).get("/", async (c) => {
  const { chat, productName } = c.var.deps.config;
  const record = await loadCallerRecord(c);
  if (!chat?.isShown || record.row.phoneNumber === chat.hiddenPhone) throw new ApiError("not_found");
  const { hmacKey } = chat;
  const now = c.var.deps.now();
  const identity = await chatIdentity(record, { hmacKey, productName, now });
  const { identifier } = identity;
  await recordChatIdentifier(c.var.db, { driverId: record.row.id, identifier, now });
  return c.json(identity, 200);
});
