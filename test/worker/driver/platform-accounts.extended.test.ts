import { beforeEach, expect, it } from "vitest";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import { linkPlatformAccount, platformWorld } from "../../support/sandbox-client.ts";
import { apiTarget, createDriver, createLinkedDriver, resetPlatform, type TestDriver } from "../harness.ts";

beforeEach(() => resetPlatform());

async function lastStep({ client }: TestDriver, email: string) {
  await client.sealed("POST", "/flex/v1/setup/login", { email, password: "right" });
  const { sessions } = await platformWorld(apiTarget);
  const { code } = sessions.filter((known) => known.email === email).at(-1)!;
  return client.sealed("POST", "/flex/v1/setup/otp", { code });
}

it("refuses a second driver on one account of the platform, and ends that session", async () => {
  const first = await createLinkedDriver();
  const second = await createDriver();
  await resetApproval();
  const answer = await lastStep(second, first.email);
  expect(answer.status).toBe(409);
  expect((await answer.json<ErrorResponse>()).code).toBe("link_account_taken");
  expect(await second.client.setup()).toEqual({ step: "credentials" });
  expect(await first.client.setup()).toEqual({ step: "linked" });
});

it("lets a second driver have an account that the first has unlinked", async () => {
  const first = await createLinkedDriver();
  await first.client.call("DELETE", "/flex/v1/setup");
  const second = await createDriver();
  await linkPlatformAccount({ ...apiTarget, client: second.client }, first.email);
  expect(await second.client.setup()).toEqual({ step: "linked" });
});

async function resetApproval(): Promise<void> {
  await apiTarget.fetch(`${apiTarget.origin}/sandbox/world`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ autoApproveMs: 0 }),
  });
}
