import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import { platformWorld, postJson } from "../../support/sandbox-client.ts";
import { apiTarget, createDriver, resetPlatform, whileHeld, type TestDriver } from "../harness.ts";

beforeEach(() => resetPlatform());

let emails = 0;
const newEmail = () => `victim-${(emails += 1)}@example.com`;

async function login({ client }: TestDriver, email: string, password = "wrong") {
  const answer = await client.sealed("POST", "/flex/v1/setup/login", { email, password });
  const { code = "ok", retryAfter } = await answer.json<Partial<ErrorResponse>>();
  return { code, retryAfter };
}

const codesOf = (answers: readonly { code: string }[]) => answers.map(({ code }) => code);

it("relays five of forty passwords that are tried at once, and says when the next may be", async () => {
  const driver = await createDriver();
  const email = newEmail();
  const answers = await Promise.all(Array.from({ length: 40 }, () => login(driver, email)));
  // One at a time: those that come meanwhile are refused and count for nothing.
  while (!codesOf(answers).includes("link_paused")) answers.push(await login(driver, email));
  const relayed = answers.filter(({ code }) => code !== "link_paused" && code !== "rate_limited");
  expect(relayed).toHaveLength(5);
  const [paused] = answers.filter(({ code }) => code === "link_paused");
  expect(paused?.retryAfter).toBeGreaterThan(890);
  expect(paused?.retryAfter).toBeLessThanOrEqual(900);
  // Another account is no way around it.
  expect((await login(driver, newEmail())).code).toBe("link_paused");
});

it("counts the tries at one account of the platform, whoever makes them, also after registering anew", async () => {
  const email = newEmail();
  const [first, second, third] = [await createDriver(), await createDriver(), await createDriver()];
  expect(codesOf([await login(first, email), await login(first, email)])).not.toContain("link_paused");
  expect((await first.client.call("DELETE", "/flex/v1/user")).status).toBe(204);
  expect(codesOf([await login(second, email), await login(second, email.toUpperCase())])).not.toContain(
    "link_paused",
  );
  await login(third, email);
  expect((await login(third, email)).code).toBe("link_paused");
  expect((await login(third, newEmail())).code).toBe("link_credentials_wrong");
});

it("leaves who linked the account before their own tries", async () => {
  const owner = await createDriver();
  await env.DB.prepare("UPDATE users SET flex_email = ? WHERE id = ?")
    .bind(owner.email, owner.driverId)
    .run();
  const stranger = await createDriver();
  for (let i = 0; i < 5; i++) await login(stranger, owner.email);
  expect((await login(stranger, owner.email)).code).toBe("link_paused");
  await resetPlatform();
  expect((await login(owner, owner.email, "right")).code).toBe("ok");
});

it("forgets the tries at an account that is then linked, and no others", async () => {
  const driver = await createDriver();
  const other = newEmail();
  for (let i = 0; i < 2; i++) await login(driver, other);
  for (let i = 0; i < 2; i++) await login(driver, driver.email);
  expect((await login(driver, driver.email, "right")).code).toBe("ok");
  const open = async () =>
    (await platformWorld(apiTarget)).sessions.filter(({ email }) => email === driver.email).at(-1)!;
  await driver.client.sealed("POST", "/flex/v1/setup/otp", { code: (await open()).code });
  await postJson(apiTarget, `/sandbox/platform/sessions/${(await open()).id}/approve`, {});
  expect(await driver.client.setup()).toEqual({ step: "linked" });
  const answers = [];
  for (let i = 0; i < 4; i++) answers.push(await login(driver, newEmail()));
  expect(codesOf(answers)).toEqual([
    "link_credentials_wrong",
    "link_credentials_wrong",
    "link_credentials_wrong",
    "link_paused",
  ]);
});

it("counts wrong codes with the passwords, and nothing that the platform didn't judge", async () => {
  const driver = await createDriver();
  expect((await login(driver, driver.email, "right")).code).toBe("ok");
  const answers = [];
  for (let i = 0; i < 3; i++) {
    const answer = await driver.client.sealed("POST", "/flex/v1/setup/otp", { code: "0000" });
    answers.push((await answer.json<ErrorResponse>()).code);
  }
  expect(answers).toEqual(["link_code_wrong", "link_code_wrong", "link_code_wrong"]);
  await postJson(apiTarget, "/sandbox/faults", { operation: "createSession", fault: "503", times: 3 });
  for (let i = 0; i < 3; i++) expect((await login(driver, newEmail())).code).toBe("platform_unreachable");
  expect((await login(driver, newEmail())).code).toBe("link_credentials_wrong");
  expect((await login(driver, newEmail())).code).toBe("link_credentials_wrong");
  expect((await login(driver, newEmail())).code).toBe("link_paused");
});

it("makes one sign-in of twenty at once with the right password, by the driver or another at that account", async () => {
  const [driver, other] = [await createDriver(), await createDriver()];
  const meanwhile: string[] = [];
  let first = "";
  await whileHeld(
    "createSession",
    async () => {
      first = (await login(driver, driver.email, "right")).code;
    },
    async () => {
      for (let i = 0; i < 19; i++) {
        const [caller, email] = i % 2 === 0 ? [driver, newEmail()] : [other, driver.email];
        meanwhile.push((await login(caller, email, "right")).code);
      }
    },
  );
  expect({ first, meanwhile }).toEqual({
    first: "ok",
    meanwhile: Array.from({ length: 19 }, () => "rate_limited"),
  });
  // It holds nothing once it is over, and a refused one was no try.
  expect((await login(other, newEmail(), "right")).code).toBe("ok");
  expect((await login(driver, driver.email, "right")).code).toBe("ok");
});
