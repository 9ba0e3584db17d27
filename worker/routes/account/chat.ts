import { Hono } from "hono";
import { chatIdentity } from "../../accounts/chat-identity.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { loadCallerRecord } from "../caller.ts";

/** The driver's identity in the support chat. There is none where the chat isn't offered, or hidden from this number. */
export const chatRoutes = new Hono<AppEnv>().get("/", async (c) => {
  const { chat, productName } = c.var.deps.config;
  const record = await loadCallerRecord(c);
  if (!chat || record.row.phoneNumber === chat.hiddenPhone) throw new ApiError("not_found");
  const { hmacKey } = chat;
  return c.json(await chatIdentity(record, { hmacKey, productName, now: c.var.deps.now() }), 200);
});
