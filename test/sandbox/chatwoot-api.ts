import { Hono } from "hono";
import { z } from "zod";
import { countUp } from "./ids.ts";
import type { ChatContact, Stage } from "./state.ts";

const HMAC_KEY = "sandbox";
const API_TOKEN = "sandbox-agent";

const identification = z.object({
  identifier: z.string(),
  identifier_hash: z.string(),
  phone_number: z.string().optional(),
  email: z.string().optional(),
  /** The visitor's message; not part of the original's call. */
  message: z.string().optional(),
  online: z.boolean().default(false),
});
const update = z.object({ identifier: z.string() });
const merge = z.object({ base_contact_id: z.int(), mergee_contact_id: z.int() });

/** Chatwoot's widget call that identifies a visitor, and its application API for contacts, with the original's refusals. */
export function chatwootApiRoutes({ state }: Stage) {
  const contacts = state.chatContacts;
  const find = (test: (contact: ChatContact) => boolean) => contacts.values().find(test) ?? null;
  const save = (contact: ChatContact) => contacts.set(String(contact.id), contact);
  const api = new Hono()
    .use(async (c, next) => {
      if (c.req.header("api_access_token") !== API_TOKEN)
        return c.json({ error: "Invalid Access Token" }, 401);
      await next();
    })
    .get("/labels", (c) =>
      c.json({ payload: [{ id: 1, title: "jornada", color: "#1f93ff", show_on_sidebar: true }] }, 200),
    )
    .get("/contacts/search", (c) => {
      const query = c.req.query("q") ?? "";
      const payload = contacts
        .values()
        .filter(({ identifier, phoneNumber }) =>
          [identifier, phoneNumber].some((one) => one?.includes(query)),
        )
        .map(({ id, identifier, phoneNumber, email }) => ({
          id,
          identifier,
          phone_number: phoneNumber,
          email,
        }));
      return c.json({ meta: { count: payload.length, current_page: 1 }, payload }, 200);
    })
    .put("/contacts/:id", async (c) => {
      const { identifier } = update.parse(await c.req.json());
      const contact = contacts.get(c.req.param("id"));
      if (!contact) return c.json({ error: "Resource could not be found" }, 404);
      if (find((one) => one.identifier === identifier && one.id !== contact.id))
        return c.json({ message: "Identifier has already been taken", attributes: ["identifier"] }, 422);
      save({ ...contact, identifier });
      return c.json({ payload: { id: contact.id, identifier } }, 200);
    })
    .delete("/contacts/:id", (c) => {
      const contact = contacts.get(c.req.param("id"));
      if (!contact) return c.json({ error: "Resource could not be found" }, 404);
      if (contact.isOnline) return c.json({ message: "The contact is online, please try again later" }, 422);
      contacts.delete(String(contact.id));
      return c.body(null, 200);
    })
    .post("/actions/contact_merge", async (c) => {
      const { base_contact_id: baseId, mergee_contact_id: mergeeId } = merge.parse(await c.req.json());
      const [base, mergee] = [contacts.get(String(baseId)), contacts.get(String(mergeeId))];
      if (!base || !mergee) return c.json({ error: "Resource could not be found" }, 404);
      save({ ...base, messages: [...mergee.messages, ...base.messages] });
      contacts.delete(String(mergee.id));
      return c.json({ id: base.id, identifier: base.identifier }, 200);
    });
  return new Hono()
    .route("/sandbox/chatwoot/api/v1/accounts/1", api)
    .patch("/sandbox/chatwoot/api/v1/widget/contact/set_user", async (c) => {
      const given = identification.parse(await c.req.json());
      if (given.identifier_hash !== (await hmacHex(given.identifier)))
        return c.json({ error: "HMAC failed: Invalid Identifier Hash Provided" }, 401);
      const known = find(({ identifier }) => identifier === given.identifier);
      // The number of a contact with another identifier stays with that contact.
      const isTaken = find(
        ({ id, phoneNumber }) =>
          phoneNumber === given.phone_number && phoneNumber !== null && id !== known?.id,
      );
      const contact = known ?? {
        id: countUp(state.counters, "chat_contacts"),
        identifier: given.identifier,
        phoneNumber: null,
        email: null,
        messages: [],
        isOnline: false,
      };
      save({
        ...contact,
        phoneNumber: isTaken ? contact.phoneNumber : (given.phone_number ?? contact.phoneNumber),
        email: given.email ?? contact.email,
        messages: given.message === undefined ? contact.messages : [...contact.messages, given.message],
        isOnline: given.online,
      });
      return c.json({ id: contact.id, messages: contacts.get(String(contact.id))?.messages }, 200);
    })
    .get("/sandbox/chatwoot/contacts", (c) => c.json({ contacts: contacts.values() }, 200));
}

async function hmacHex(text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(HMAC_KEY), algorithm, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
