import { SELF } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import type { ChatResponse } from "../../../worker/contract/voice.ts";
import type { PublicConfig } from "../../../worker/contract/status.ts";
import { apiTarget, createLinkedDriver, deployment, resetPlatform } from "../harness.ts";

const SETTINGS = {
  CHATWOOT_URL: "https://chat.example/",
  OPS_URL: "https://ops.example",
  CHATWOOT_TOKEN: "web1",
  CHATWOOT_HMAC_KEY: "secret",
};

beforeEach(() => resetPlatform());

async function hmac(text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode("secret"), algorithm, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
  return [...mac].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

it("tells the chat who the driver is, signed, and nobody else", async () => {
  const { token, phoneNumber, driverId, email } = await createLinkedDriver();
  const { fetch, origin } = deployment(SETTINGS);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${origin}/flex/v1/user/chat`, { headers });
  expect(await answer.json<ChatResponse>()).toEqual({
    identifier: `jornada-${phoneNumber}-${driverId}`,
    identifierHash: await hmac(`jornada-${phoneNumber}-${driverId}`),
    name: "Ana",
    email,
    phoneNumber,
    attributes: {
      good_standing: true,
      expiration_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      human_region: "New York City",
      account_connected: true,
    },
    label: "jornada",
  });
  const hidden = deployment({ ...SETTINGS, CHAT_HIDDEN_PHONE: phoneNumber });
  expect((await hidden.fetch(`${origin}/flex/v1/user/chat`, { headers })).status).toBe(404);
  const other = { authorization: `Bearer ${(await createLinkedDriver()).token}` };
  expect((await hidden.fetch(`${origin}/flex/v1/user/chat`, { headers: other })).status).toBe(200);
  expect((await apiTarget.fetch(`${origin}/flex/v1/user/chat`, { headers })).status).toBe(404);
});

it("is in the page's config without the number that it is hidden from, and in its policy only where it is on", async () => {
  const on = deployment({ ...SETTINGS, CHAT_HIDDEN_PHONE: "+15550100000" });
  const config = await (await on.fetch(`${on.origin}/status/config`)).json<PublicConfig>();
  expect(config.chat).toEqual({ url: "https://chat.example", token: "web1" });
  const off = await SELF.fetch(`${apiTarget.origin}/status/config`);
  expect((await off.json<PublicConfig>()).chat).toBeNull();
});
