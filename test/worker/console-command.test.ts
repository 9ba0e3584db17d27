import { env } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";
import { createConsoleClient, readConsoleAccess } from "../../worker/operators/console-client.ts";
import { CONSOLE_COMMANDS, UsageError } from "../../worker/operators/console-commands.ts";
import { accessToken, operatorClient, OWNER } from "./console-harness.ts";
import { apiTarget, createDriver, resetPlatform } from "./harness.ts";
import { createSettled, pointBalanceOf } from "./payments-harness.ts";

const SERVICE_TOKEN = "c0ffee00000000000000000000000000.access";
const reason = "from the command";

let token: string;
beforeAll(async () => {
  await resetPlatform();
  token = await accessToken({ commonName: SERVICE_TOKEN });
});

/** `npm run ops -- <name> <driver> --…`, with a service token's token. */
async function ops(
  name: string,
  driver: string | undefined,
  values: Record<string, unknown>,
  passphrase?: string,
): Promise<string> {
  const access = readConsoleAccess({ PUBLIC_URL: `${apiTarget.origin}/`, CF_ACCESS_TOKEN: token });
  const command = CONSOLE_COMMANDS[name];
  if (!access || !command) throw new Error(`no command ${name}`);
  const send: typeof fetch = (input, init) => apiTarget.fetch(String(input), init);
  return (await command(createConsoleClient(access, send), { driver, values, passphrase }, Date.now())).join(
    "\n",
  );
}

it("shows a driver by number, with what the console shows", async () => {
  const { driver, paymentId } = await createSettled();
  const shown = await ops("driver", driver.phoneNumber, {});
  expect(shown).toContain(`${driver.driverId}  Ana  ${driver.phoneNumber}`);
  expect(shown).toContain(`payment  ${paymentId}  7days  settled  50.22 USD, 0.00 refunded`);
  expect(await ops("driver", "+15550000000", {})).toBe("0 found");
});

it("grants, refunds and prices through the routes, and the log names the service token", async () => {
  const { driver, paymentId } = await createSettled();
  const { phoneNumber } = driver;
  expect(await ops("grant", phoneNumber, { days: "3", reason })).toMatch(/^days {2}Ana {2}done/);
  await ops("grant", phoneNumber, { points: "-20", reason });
  expect(await pointBalanceOf(driver)).toBe(50);
  await ops("refund", phoneNumber, { payment: paymentId, amount: "10.00", "keeps-days": true, reason });
  await ops("price", phoneNumber, { plan: "30days", amount: "149.99", for: "7", reason });
  const owner = await operatorClient(OWNER);
  const log = await owner.log(driver);
  expect(log.map(({ act, operator }) => [act, operator])).toEqual(
    ["special_price", "refund", "points", "days"].map((act) => [act, SERVICE_TOKEN]),
  );
  expect((await owner.page(driver)).payments).toMatchObject([{ refundedCents: 1000 }]);
});

it("limits a city and lists all", async () => {
  const shown = await ops("spots", undefined, { city: "Boise", spots: "5", reason });
  expect(shown).toContain("Boise  5 spots  0 taken  0 waiting");
  expect(await ops("spots", undefined, { city: "Boise", spots: "none", reason })).not.toContain("Boise  ");
});

it("announces a raffle with a seed that only the passphrase opens, and draws it once it is over", async () => {
  const december = {
    id: "december",
    plan: "14days",
    from: "2026-01-01",
    to: "2099-12-31",
    winners: "2",
    reason,
  };
  await expect(ops("promotion", undefined, december)).rejects.toThrow(UsageError);
  const made = await ops("promotion", undefined, december, "correct horse battery");
  expect(made).toMatch(/fingerprint {2}[0-9a-f]{64}/);
  await env.DB.prepare(`UPDATE promotions SET ends_at = 1 WHERE id = 'december'`).run();
  const draw = (passphrase?: string, values: object = {}) =>
    ops("draw", undefined, { id: "december", reason, ...values }, passphrase);
  await expect(draw("another")).rejects.toThrow("does not open its seed");
  await expect(draw(undefined, { seed: "another" })).rejects.toThrow("does not fit");
  expect(await draw("correct horse battery")).toMatch(/^draw {2}everybody {2}done/);
  await expect(draw("correct horse battery")).rejects.toThrow("drawn already");
  await expect(ops("draw", undefined, { id: "none", reason }, "x")).rejects.toThrow("no such raffle");
});

it("says in the console's own words what it refuses, and shows its usage for what is no command", async () => {
  const { phoneNumber } = await createDriver();
  await expect(ops("grant", phoneNumber, { points: "-20", reason })).rejects.toThrow("points_short");
  await expect(ops("grant", phoneNumber, { days: "-300", reason })).rejects.toThrow("days: too_large");
  await expect(ops("grant", "+15550000000", { days: "1", reason })).rejects.toThrow("Nobody was found.");
  await expect(ops("grant", phoneNumber, { days: "1" })).rejects.toThrow(UsageError);
  await expect(ops("grant", phoneNumber, { days: "1", points: "1", reason })).rejects.toThrow(UsageError);
  await expect(ops("price", phoneNumber, { plan: "1day", amount: "1.00", for: "1", reason })).rejects.toThrow(
    UsageError,
  );
});

it("needs an address and a way in", () => {
  expect(readConsoleAccess({ PUBLIC_URL: "https://a.example" })).toBe(null);
  expect(readConsoleAccess({ CF_ACCESS_TOKEN: "t" })).toBe(null);
  expect(
    readConsoleAccess({
      PUBLIC_URL: "https://a.example",
      CF_ACCESS_CLIENT_ID: "i",
      CF_ACCESS_CLIENT_SECRET: "s",
    }),
  ).toEqual({
    url: "https://a.example",
    headers: { "cf-access-client-id": "i", "cf-access-client-secret": "s" },
  });
});
