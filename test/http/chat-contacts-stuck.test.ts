import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { followChatContacts } from "../../worker/accounts/chat-contacts.ts";
import { openCheckout, type Checkout } from "../payments/checkout-harness.ts";

const CHAT = {
  OPS_URL: "https://ops.example",
  CHATWOOT_URL: "https://chat.example",
  CHATWOOT_TOKEN: "token",
  CHATWOOT_HMAC_KEY: "key",
  CHATWOOT_ACCOUNT_ID: "1",
  CHATWOOT_API_TOKEN: "revoked",
};

let at: Checkout;
let status: number;
beforeEach(() => {
  at = openCheckout(CHAT);
  status = 401;
  at.run(
    `INSERT INTO chat_contacts (identifier, driver_id, is_deleted, tries, due_at) VALUES ('jornada-1', 'd', 1, 0, 0)`,
  );
});
afterEach(() => void vi.restoreAllMocks());

/** Lets time pass. @returns in how many of its minutes the step failed */
async function pass(ms: number): Promise<number> {
  let failed = 0;
  const send = async () => Response.json({ payload: [] }, { status });
  const deps = { ...at.checkout.deps, send } as unknown as Deps;
  for (const end = at.clock.now + ms; at.clock.now < end; at.clock.now += MINUTE_MS)
    await followChatContacts(deps).catch(() => (failed += 1));
  return failed;
}

it("a contact that the chat doesn't delete for a day fails each minute's step, until it does", async () => {
  expect(await pass(DAY_MS / 2)).toBe(0);
  expect(await pass(DAY_MS)).toBeGreaterThan((DAY_MS / MINUTE_MS) * 0.3);
  expect(await pass(10 * MINUTE_MS)).toBe(10);
  status = 200;
  expect(await pass(61 * MINUTE_MS)).toBeLessThan(61);
  expect(await pass(10 * MINUTE_MS)).toBe(0);
  expect(at.rows(`SELECT * FROM chat_contacts`)).toEqual([]);
});
