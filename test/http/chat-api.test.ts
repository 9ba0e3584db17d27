import { expect, it } from "vitest";
import { ChatApiError, createChatApi } from "../../worker/accounts/chat-contacts.ts";

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
