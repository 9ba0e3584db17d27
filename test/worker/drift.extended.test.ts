import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { shuffle } from "../support/seeded-rolls.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  driverObject,
  fetchAccepts,
  injectFault,
  publishOffer,
  resetPlatform,
  runAlarm,
  setSystemSwitch,
  type TestDriver,
} from "./harness.ts";

const OFFER = [
  "offerId",
  "warehouseId",
  "serviceType",
  "startsAt",
  "endsAt",
  "pay",
  "pay.amount",
  "pay.currency",
];
const BLOCK = [...OFFER, "blockId", "status", "acceptedAt"];
/** The fields of the answers that captures depend on, each left out, null and of another type: 90 cells. */
const CELLS = [
  ...[...OFFER, "expiresAt"].map((field) => ({ call: "listOffers", field: `offers.${field}` })),
  ...BLOCK.map((field) => ({ call: "acceptOffer", field })),
  ...BLOCK.map((field) => ({ call: "listBlocks", field: `blocks.${field}` })),
].flatMap((cell) =>
  [
    { change: "missing" },
    { change: "null", value: null },
    { change: "another type", value: { of: "tomorrow" } },
  ].map((change) => ({ ...cell, ...change })),
);
/** With DRIFT=whole all of them; else some, others for each commit. */
const cells = shuffle(CELLS, Number(env.SEED)).slice(0, env.DRIFT === "whole" ? undefined : 6);

async function textsOf({ phoneNumber }: TestDriver): Promise<string[]> {
  const path = `/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`;
  const answer = await apiTarget.fetch(`${apiTarget.origin}${path}`);
  const { messages } = await answer.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

it.each(cells)(
  `tells of a capture and of the field where $call $field is $change, seed ${env.SEED}`,
  async (cell) => {
    const { call: operation, field, change: _change, ...value } = cell;
    await resetPlatform();
    await env.DB.prepare(`DELETE FROM service_alerts`).run();
    const driver = await createActiveDriver();
    await injectFault({ operation, fault: "changed_field", field: field.split("."), ...value });
    await publishOffer(driver.warehouseIds[0]!);
    // More than a minute of the driver's clock.
    for (let polls = 0; polls < 6; polls += 1) {
      await runAlarm(driver);
      advanceClock(13_000);
    }
    await runAlarm(driver);
    const accepts = await fetchAccepts();
    const isHeld = accepts.some(({ status }) => status === 200);
    const { phase } = await driverObject(driver).snapshot();
    expect(
      accepts.length > 0 || phase.kind !== "polling",
      "nothing was tried, and the phase says looking",
    ).toBe(true);
    if (isHeld) {
      const told = async () =>
        (await textsOf(driver)).filter((body) => /block|probably yours/.test(body)).length;
      await expect.poll(told, { timeout: 10_000 }).toBeGreaterThan(0);
    }
    const named = async () => {
      const { results } = await env.DB.prepare(`SELECT name FROM service_alerts`).all<{ name: string }>();
      const found = results.map(({ name }) => name.replace(`platform.drift.${operation}.`, ""));
      return found.some((name) => field.startsWith(name) || name.startsWith(field));
    };
    await expect.poll(named, { timeout: 10_000 }).toBe(true);
    await setSystemSwitch(driver, false);
  },
);
