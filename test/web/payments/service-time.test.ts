import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { ServiceEnding, ServiceUntil } from "../../../web/features/payments/service-time.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const DAY_MS = 24 * HOUR_MS;
const timeZone = "America/New_York";

async function untilOf(
  fields: Partial<Parameters<typeof ServiceUntil>[0]>,
  record: Partial<User> = {},
): Promise<{ text: string; isUrgent: boolean; isBad: boolean; isHiddenOnPhones: boolean }> {
  const html = await htmlOfPart(createElement(ServiceUntil, { until: null, timeZone, ...fields }), {
    answered: [[userQuery.queryKey, { ...RECORD, ...record }]],
  });
  return {
    text: textsIn(html).join(" "),
    isUrgent: html.includes("text-warn"),
    isBad: html.includes("text-bad"),
    isHiddenOnPhones: html.includes("max-sm:hidden"),
  };
}

const calm = { isUrgent: false, isBad: false, isHiddenOnPhones: false };

it("says how much service is left, and until when", async () => {
  expect(await untilOf({ until: NOON + DAY_MS })).toEqual({
    ...calm,
    text: "Service: 1 day left , until Thu 12:00 PM",
  });
  expect(await untilOf({ until: NOON + DAY_MS, isShort: true })).toMatchObject({ isHiddenOnPhones: true });
  expect(await untilOf({ until: NOON + DAY_MS - 1 })).toMatchObject({ isUrgent: true });
  // A pause is no service.
  expect(await untilOf({ until: NOON + 3 * DAY_MS, pausedUntil: NOON + DAY_MS })).toMatchObject({
    text: "Service: 2 days left , until Sat 12:00 PM",
  });
});

it("says that none is left, or that the free day is to come", async () => {
  const none = { ...calm, isBad: true, text: "Service: None" };
  const trial = { ...calm, text: "Service: 1 free day, starting when you first turn on" };
  expect([await untilOf({}), await untilOf({ until: NOON })]).toEqual([none, none]);
  expect(await untilOf({}, { trialPending: true })).toEqual(trial);
  expect(await untilOf({ until: NOON + 1 }, { trialPending: true })).not.toEqual(trial);
});

it("warns on the last day and after it, with a way to more for drivers who aren't in line", async () => {
  const read = async (until: number | null, record: Partial<User> = {}) =>
    textsIn(
      await htmlOfPart(createElement(ServiceEnding, { until, timeZone }), {
        answered: [[userQuery.queryKey, { ...RECORD, ...record }]],
      }),
    );
  expect([await read(NOON + DAY_MS), await read(null, { trialPending: true })]).toEqual([[], []]);
  const soon = "Your service lasts until Thu 11:59 AM. Add days to keep it without a break.";
  expect(await read(NOON + DAY_MS - 1)).toEqual([soon, "Add days"]);
  const over = "No days of service";
  expect([await read(NOON), await read(null)]).toEqual([
    [over, "Add days"],
    [over, "Add days"],
  ]);
  expect(await read(NOON + 1, { waitingForSpot: true })).toHaveLength(1);
});
