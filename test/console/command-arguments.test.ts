import { beforeEach, describe, expect, it } from "vitest";
import { sha256Hex } from "../../db/shapes/sha256-hex.ts";
import { UsageError } from "../../worker/operators/arguments.ts";
import { CONSOLE_CHECKS } from "../../worker/operators/console-checks.ts";
import { ConsoleError, createConsoleClient } from "../../worker/operators/console-client.ts";
import { CONSOLE_COMMANDS } from "../../worker/operators/console-commands.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const reason = "a test";
const ANA = { id: "6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01", name: "Ana", phone: "••• 0123", humanRegion: null };
const seed = "a seed";

/** The acts that were sent. */
let calls: string[];
let drivers: (typeof ANA)[];
let raffle: { id: string; seedHash: string; sealedSeed: string | null; status: string };
beforeEach(async () => {
  calls = [];
  drivers = [ANA];
  raffle = { id: "autumn", seedHash: await sha256Hex(seed), sealedSeed: null, status: "closed" };
});

/** A console that finds these drivers and this raffle, and does every act. */
const client = createConsoleClient({ url: "https://console.test", headers: {} }, async (input, init) => {
  const path = String(input).replace("https://console.test/ops/v1", "");
  if (init?.method === "POST") calls.push(path);
  const act = { id: "act", act: "done", before: { days: 0 }, after: { days: 3 } };
  const answers = { drivers, hasMore: false, raffles: [raffle], status: "done", act, steps: [] };
  return Response.json(answers);
});
const run = async (name: string, driver: string | undefined, values: Record<string, unknown>) =>
  CONSOLE_COMMANDS[name]?.(client, { driver, values }, NOW);

describe("a command of an operator", () => {
  it("acts on the one driver that was named", async () => {
    const lines = await run("grant", "+1555", { days: "3", reason });
    expect(calls).toEqual([`/drivers/${ANA.id}/acts`]);
    expect(lines).toEqual([`done  Ana  done  {"days":0} → {"days":3}`]);
  });

  it.each<[string, string | undefined, Record<string, unknown>]>([
    ["driver", undefined, {}],
    ["grant", undefined, { days: "3", reason }],
    ["grant", "+1555", { reason }],
    ["grant", "+1555", { days: "3", points: "3", reason }],
    ["grant", "+1555", { days: "three", reason }],
    ["grant", "+1555", { days: "3" }],
    ["grant", "+1555", { days: "3", reason: " a " }],
    ["refund", "+1555", { amount: "10.00", reason }],
    ["refund", "+1555", { payment: "one", amount: "10.5", reason }],
    ["refund", "+1555", { payment: "one", reason }],
    ["price", "+1555", { plan: "1day", amount: "10.00", for: "7", reason }],
    ["price", undefined, { plan: "7days", amount: "10.00", reason }],
    ["price", undefined, { plan: "7days", amount: "10.00", from: "soon", to: "2026-12-01", reason }],
    ["list-price", undefined, { plan: "1day", amount: "10.00", reason }],
    ["list-price", undefined, { plan: "7days", amount: "10.00", from: "soon", reason }],
    ["promotion", undefined, { id: "autumn", reason }],
    ["draw", undefined, { seed, reason }],
    ["compensate-raffle", undefined, { points: "10", reason }],
    ["spots", undefined, { city: "city", reason }],
  ])("%s %s does nothing with %j", async (name, driver, values) => {
    await expect(run(name, driver, values)).rejects.toThrow(UsageError);
    expect(calls).toEqual([]);
  });

  it("does nothing to nobody, and nothing to one of several", async () => {
    drivers = [];
    await expect(run("disable", "+1555", { reason })).rejects.toThrow("Nobody was found.");
    drivers = [ANA, { ...ANA, id: "another" }];
    await expect(run("disable", "+1555", { reason })).rejects.toThrow("2 drivers were found");
    expect(calls).toEqual([]);
  });

  it("draws a raffle with the seed that its fingerprint was made of", async () => {
    await run("draw", undefined, { id: "autumn", seed, reason });
    expect(calls).toEqual(["/acts"]);
  });

  it.each<[string, Partial<typeof raffle>, Record<string, unknown>, string]>([
    ["that there is none of", { id: "winter" }, { seed }, "There is no such raffle."],
    ["that was drawn", { status: "drawn" }, { seed }, "It was drawn already."],
    ["that was announced with another seed", {}, { seed: "another" }, "does not fit the fingerprint"],
    ["whose seed no passphrase opens", {}, {}, "does not open its seed"],
  ])("draws no raffle %s", async (_what, change, values, words) => {
    raffle = { ...raffle, ...change };
    const drawn = run("draw", undefined, { id: "autumn", ...values, reason });
    await expect(drawn).rejects.toThrow(ConsoleError);
    await expect(drawn).rejects.toThrow(words);
    expect(calls).toEqual([]);
  });
});

it.each(["balance", "journal", "reconcile"])("the check %s asks for days", async (name) => {
  const checked = CONSOLE_CHECKS[name]?.(client, { from: "yesterday", to: "today" });
  await expect(checked).rejects.toThrow(UsageError);
});
