import { beforeEach, describe, expect, it, vi } from "vitest";
import { publicConfig } from "../../../worker/contract/status.ts";
import { callPool, newPhone, PASSWORD } from "../embedded-pool.ts";
import { apiTarget, deployment, resetPlatform } from "../harness.ts";

beforeEach(() => resetPlatform());

const TURNSTILE = {
  IDENTITY: "embedded",
  TURNSTILE_URL: "http://localhost:5173/sandbox",
  TURNSTILE_SITE_KEY: "1x0",
  TURNSTILE_SECRET_KEY: "2x0",
};
const challenged = deployment(TURNSTILE);

/** Registers at a deployment that asks for the challenge. @returns the type of the error, or `done` */
async function signUp(token: string | undefined, target = challenged): Promise<string> {
  const response = await target.fetch(`${target.origin}/identity/`, {
    method: "POST",
    headers: { "x-amz-target": "AWSCognitoIdentityProviderService.SignUp" },
    body: JSON.stringify({
      ClientId: "jornadaweb",
      Username: newPhone(),
      Password: PASSWORD,
      ...(token === undefined ? {} : { ClientMetadata: { challenge: token } }),
    }),
  });
  const { __type = "done" } = JSON.parse(new TextDecoder().decode(await response.arrayBuffer()));
  return String(__type);
}

const pass = (action = "register") => `sandbox-pass.${crypto.randomUUID()}.${action}`;
const REFUSED = "UserLambdaValidationException";

describe("the challenge before registering", () => {
  it("lets through who solved it, once for each token, and for this purpose only", async () => {
    const token = pass();
    const answers = [];
    for (const tried of [token, token, undefined, "", "forged", pass("login"), "x".repeat(3000), pass()])
      answers.push(await signUp(tried));
    expect(answers).toEqual(["done", REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, "done"]);
  });

  it("lets nobody through while it can't be verified", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const down = deployment({ ...TURNSTILE, TURNSTILE_URL: "http://localhost:5173/sandbox/nowhere" });
    expect(await signUp(pass(), down)).toBe(REFUSED);
    expect(String(log.mock.calls)).toContain("turnstile.failed");
    log.mockRestore();
  });

  it("is off by default, and the page hears of it only where it is on", async () => {
    expect((await callPool("SignUp", { Username: newPhone(), Password: PASSWORD })).status).toBe(200);
    const configOf = async (target: typeof challenged) =>
      publicConfig.parse(await (await target.fetch(`${target.origin}/status/config`)).json()).turnstile;
    expect(await configOf(apiTarget)).toBeNull();
    expect(await configOf(challenged)).toEqual({
      siteKey: "1x0",
      scriptUrl: "http://localhost:5173/sandbox/turnstile/v0/api.js?render=explicit",
    });
  });
});
