import { expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../db/shapes/units.ts";
import { createDeps } from "../../durable/deps.ts";
import type { Log } from "../../durable/runtime/log.ts";
import { ChatApiError, createChatApi, followChatContacts } from "../../worker/accounts/chat-contacts.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const DRIVER = "6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01";
const CHAT_SETTINGS = {
  ...DEMO_SETTINGS,
  CHATWOOT_URL: "https://chat.test",
  CHATWOOT_TOKEN: "t",
  CHATWOOT_HMAC_KEY: "k",
  CHATWOOT_ACCOUNT_ID: "1",
  CHATWOOT_API_TOKEN: "t",
};
const CHAT = { url: "https://chat.test", accountId: "1", apiToken: "t" };

/** The end of each call where the chat answers so. */
async function outcomes(send: () => Promise<Response>): Promise<unknown[]> {
  const api = createChatApi(CHAT, { send, log: () => {} });
  const calls = [
    api.findContact("ana"),
    api.deleteContact(1),
    api.renameContact(1, "ana-2"),
    api.mergeContact(1, 2),
  ];
  const settled = await Promise.allSettled(calls);
  return settled.map((one) => (one.status === "fulfilled" ? "done" : one.reason));
}

it.each([
  ["can't be reached", () => Promise.reject(new TypeError("fetch failed"))],
  ["refuses it", async () => Response.json({ payload: [] }, { status: 401 })],
  ["fails", async () => Response.json({ payload: [] }, { status: 500 })],
  ["sends it elsewhere", async () => new Response(null, { status: 304 })],
])("counts nothing as done that the chat didn't do: it %s", async (_name, send) => {
  for (const outcome of await outcomes(send)) expect(outcome).toBeInstanceOf(ChatApiError);
});

it("has a contact found, deleted, renamed and merged where the chat says so", async () => {
  const done = async () => Response.json({ payload: [{ id: 7, identifier: "ana" }] });
  expect(await outcomes(done)).toEqual(["done", "done", "done", "done"]);
});

it("takes only the contact with the whole identifier for the one that is looked for", async () => {
  const payload = [{ id: 5, identifier: "ana-2" }, { id: 6, identifier: null }, { identifier: "ana" }];
  const find = (found: object[]) =>
    createChatApi(CHAT, {
      send: async () => Response.json({ payload: found }),
      log: () => {},
    }).findContact("ana");
  expect(await find(payload)).toBeNull();
  expect(await find([...payload, { id: 7, identifier: "ana" }])).toBe(7);
});

it("logs whose contact the chat didn't follow and why, and asks again later after each try, within the hour", async () => {
  const database = migratedDatabase();
  const clock = { now: NOW };
  const log = vi.fn<Log>();
  const deps = {
    ...createDeps({ ...CHAT_SETTINGS, DB: bindD1(database), DRIVER: {}, ASSETS: {} }),
    now: () => clock.now,
    send: async () => new Response(null, { status: 503 }),
    log,
  };
  database.exec(`INSERT INTO chat_contacts (identifier, driver_id, is_deleted, tries, due_at)
    VALUES ('ana', '${DRIVER}', 1, 0, 0)`);
  const dueAt = () => Number(database.prepare(`SELECT due_at FROM chat_contacts`).get()?.["due_at"]);
  const waits: number[] = [];
  for (let tries = 0; tries < 9; tries += 1) {
    await followChatContacts(deps);
    waits.push((dueAt() - clock.now) / MINUTE_MS);
    clock.now = dueAt() - 1;
    await followChatContacts(deps);
    clock.now += 1;
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  const failures = log.mock.calls.filter(([, event]) => event === "chat.contact.failed");
  expect(failures.map(([level, , facts]) => [level, facts])).toEqual(
    waits.map((_, tries) => [
      "warn",
      expect.objectContaining({ driverId: DRIVER, tries, error: "ChatApiError" }),
    ]),
  );
});
