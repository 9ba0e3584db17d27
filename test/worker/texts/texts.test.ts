import { beforeEach, describe, expect, it } from "vitest";
import { VERSION } from "../../../durable/runtime/version.ts";
import { health } from "../../../worker/contract/status.ts";
import { callPool, newPhone, PASSWORD } from "../embedded-pool.ts";
import { deployment, injectFault, resetPlatform } from "../harness.ts";

beforeEach(() => resetPlatform());

let deployments = 0;

/** Health's response, of a deployment that hasn't read it before. */
async function loadHealth(settings: Record<string, string> = {}) {
  deployments += 1;
  const target = deployment({ IDENTITY: "embedded", PRODUCT_NAME: `Jornada ${deployments}`, ...settings });
  return health.parse(await (await target.fetch(`${target.origin}/status/health`)).json());
}

const signUp = async () => (await callPool("SignUp", { Username: newPhone(), Password: PASSWORD })).body;

describe("the text gateway", () => {
  it.each([
    ["401", "credentials"],
    ["503", "busy"],
    ["502", "gateway"],
  ])(
    "that answers %s fails the call with the protocol's error, and degrades health until a text is sent",
    async (fault, reason) => {
      await injectFault({ operation: "sendMessage", fault, times: 1 });
      expect(await signUp()).toMatchObject({ __type: "CodeDeliveryFailureException" });
      expect(await loadHealth()).toMatchObject({
        ok: true,
        degraded: ["texts"],
        reasons: { "texts.gateway": reason },
      });
      expect(await signUp()).toHaveProperty("UserSub");
      expect(await loadHealth()).toEqual({ ok: true, version: VERSION, now: expect.any(Number) });
    },
  );

  it("that is not configured degrades health", async () => {
    const none = { TWILIO_ACCOUNT_SID: "", TWILIO_AUTH_TOKEN: "", TWILIO_FROM: "" };
    expect(await loadHealth(none)).toMatchObject({
      degraded: ["texts"],
      reasons: { "texts.gateway": "no_gateway" },
    });
  });
});
