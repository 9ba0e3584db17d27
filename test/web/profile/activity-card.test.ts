import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { SecurityItem } from "../../../worker/contract/account/security.ts";
import { securityEventsQuery } from "../../../web/api/queries/account.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { ActivityCard } from "../../../web/features/profile/activity-card.tsx";
import { EVENT_LABELS } from "../../../web/features/profile/activity-labels.ts";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const EVENT: SecurityItem = {
  id: 1,
  event: "sign_in",
  times: 1,
  firstAt: NOON - 2 * HOUR_MS,
  lastAt: NOON - HOUR_MS,
  browser: "Chrome",
  system: "Android",
  country: "BR",
};
const htmlWith = (items: SecurityItem[], cursor: string | null = null) =>
  htmlOfPart(createElement(ActivityCard, { user: RECORD }), {
    answered: [[securityEventsQuery.queryKey, { pages: [{ items, cursor }], pageParams: [null] }]],
  });
/** The texts below the title and the lead. */
const readWith = async (...given: Parameters<typeof htmlWith>) => textsIn(await htmlWith(...given)).slice(2);

it.each<[what: string, event: Partial<SecurityItem>, line: string]>([
  ["device and country", {}, "11:00 AM · Chrome on Android · Brazil"],
  ["country alone", { browser: null, system: null }, "11:00 AM · Brazil"],
  ["device alone", { country: null }, "11:00 AM · Chrome on Android"],
  ["browser alone", { system: null, country: null }, "11:00 AM · Chrome"],
  ["system alone", { browser: null, country: null }, "11:00 AM · Android"],
  ["time alone", { browser: null, system: null, country: null }, "11:00 AM"],
])("says of an event where it was, as far as that is known: %s", async (_what, event, line) => {
  expect(await readWith([{ ...EVENT, ...event }])).toEqual(["Signed in", line]);
});

it("marks the events that need their owner's attention, and counts those of an hour", async () => {
  const events = Object.keys(EVENT_LABELS) as SecurityItem["event"][];
  const html = await htmlWith(events.map((event, id) => ({ ...EVENT, event, id, times: 3 })));
  const lines = [...html.matchAll(/<p class="font-semibold ([\w-]*)">(.*?)<\/p>/gu)];
  expect(lines.map(([, , text]) => textsIn(text ?? "")[0])).toEqual(
    events.map((event) => textsIn(`${EVENT_LABELS[event]()} · 3 times`)[0]),
  );
  expect(events.filter((_event, index) => lines[index]?.[1] === "text-bad")).toEqual([
    "sign_in_failed",
    "code_failed",
    "locked",
    "session_reused",
    "link_failed",
    "link_paused",
  ]);
});

it("offers more where there is more, and says where there is nothing", async () => {
  expect((await readWith([EVENT], "next")).at(-1)).toBe("Show more");
  expect((await readWith([EVENT])).at(-1)).not.toBe("Show more");
  expect(textsIn(await htmlWith([]))).toEqual([
    "Recent activity",
    "Sign-ins, failed tries and changes to your account will show up here.",
  ]);
});
