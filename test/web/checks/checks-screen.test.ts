import { onlineManager } from "@tanstack/react-query";
import { createElement } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { CHECK_SUBJECTS, type Check } from "../../../db/shapes/work/checks.ts";
import { checksQuery } from "../../../web/api/queries/checks.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { ChecksScreen } from "../../../web/features/checks/checks-screen.tsx";
import * as pushing from "../../../web/features/notifications/use-push.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import type { Answered } from "../../support/console-part.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
afterEach(() => {
  onlineManager.setOnline(true);
  vi.restoreAllMocks();
});

const GOOD: readonly Check[] = [
  { code: "link_good" },
  { code: "hours_always" },
  { code: "platform_asked" },
  { code: "texts_arrive" },
  { code: "push_on", browsers: 1 },
];

/** The screen as it opens: it asks at once, whatever it knows from before. */
async function readOpening(checks: readonly Check[] | null) {
  const known: Answered[] = checks ? [[checksQuery.queryKey, { checks }]] : [];
  const html = await htmlOfPart(createElement(ChecksScreen), {
    answered: [
      [userQuery.queryKey, RECORD],
      [configQuery.queryKey, { productName: "Jornada", vapidPublicKey: null }],
      ...known,
    ],
  });
  const [, summary = ""] = html.split('data-testid="checks-summary"');
  const [counted = ""] = summary.split("</output>");
  return {
    summary: textsIn(`<i ${counted}`).at(-1),
    states: [...html.matchAll(/data-check-state="(\w+)"/gu)].map(([, state]) => state),
    isBusy: html.includes('aria-busy="true"'),
  };
}

it.each([
  ["nothing is known", null],
  ["a former visit knew", GOOD],
])("says of no line how it is until the answer is there: %s", async (_what, known) => {
  expect(await readOpening(known)).toEqual({
    summary: "0 of 7 checked",
    states: CHECK_SUBJECTS.map(() => "checking"),
    isBusy: true,
  });
});

type Push = ReturnType<typeof pushing.usePush>;

/** The screen once the answer is there, in a browser that may take push messages. */
async function readAnswered(checks: readonly Check[], push: Partial<Push> = {}) {
  // A query that can't be sent is not under way.
  onlineManager.setOnline(false);
  vi.spyOn(pushing, "usePush").mockReturnValue({
    isOffered: false,
    state: undefined,
    isLoading: false,
    setEnabled: () => undefined,
    isUpdating: false,
    errorText: null,
    ...push,
  });
  const html = await htmlOfPart(createElement(ChecksScreen), {
    answered: [
      [userQuery.queryKey, RECORD],
      [configQuery.queryKey, { productName: "Jornada", vapidPublicKey: null }],
      [checksQuery.queryKey, { checks }],
    ],
  });
  const [, summary = ""] = html.split('data-testid="checks-summary"');
  const [counted = "", list = ""] = summary.split("</output>");
  const rows = list.split("data-check-state=").slice(1);
  return {
    summary: textsIn(`<i ${counted}`).at(-1),
    states: rows.map((row) => /^"(\w+)"/u.exec(row)?.[1]),
    primary: rows.flatMap((row, index) => (row.includes("bg-signal") ? [index] : [])),
    last: textsIn(`<i ${rows.at(-1) ?? ""}`),
  };
}

const GOOD_NOW: readonly Check[] = GOOD.filter(({ code }) => code !== "platform_asked");
const BAD: readonly Check[] = [{ code: "hours_always" }, { code: "link_missing" }, { code: "service_over" }];
const ALL_GOOD = "All good. Nothing needs you.";
const MOSTLY_GOOD = "Nothing needs you, as far as we can tell.";
const device = (state: Push["state"]): Partial<Push> => ({ isOffered: true, state });

it.each<[what: string, checks: readonly Check[], push: Partial<Push>, summary: string]>([
  ["all is good", GOOD_NOW, {}, ALL_GOOD],
  ["all is good, on this device too", GOOD_NOW, device("on"), ALL_GOOD],
  ["this device has no push messages, which others have", GOOD_NOW, device("off"), ALL_GOOD],
  ["this device may have none", GOOD_NOW, device("denied"), "1 thing to look at."],
  ["something isn't known", GOOD, {}, MOSTLY_GOOD],
  [
    "this device is the last that could be reached, after something else",
    [{ code: "link_missing" }, { code: "push_needed" }],
    device("off"),
    "3 things to look at.",
  ],
  ["something isn't known, and two things are wrong", [...BAD, ...GOOD], {}, "2 things to look at."],
])("sums up the list: %s", async (_what, checks, push, summary) => {
  expect((await readAnswered(checks, push)).summary).toBe(summary);
});

it("stresses the way to mend the first thing that is wrong", async () => {
  expect(await readAnswered(BAD)).toMatchObject({ states: ["ok", "attention", "attention"], primary: [1] });
  expect(await readAnswered(GOOD_NOW)).toMatchObject({ primary: [] });
});

it.each<[state: Push["state"], row: string, needed: string, text: string]>([
  [undefined, "checking", "checking", "Checking…"],
  ["unsupported", "off", "attention", "This browser can't get push notifications. You'll still get texts."],
  [
    "needs_install",
    "off",
    "attention",
    "On an iPhone, add the page to your home screen first: tap Share, then Add to Home Screen, and open it from there.",
  ],
  [
    "denied",
    "attention",
    "attention",
    "You blocked notifications for this page. Open the site settings next to the address, allow notifications and reload.",
  ],
  ["off", "off", "attention", "Push notifications are off on this device."],
  // Its browser doesn't know that the server has lost it.
  ["on", "off", "attention", "Push notifications are off on this device."],
])(
  "says of this device how its push messages are where the server knows of no other: %s",
  async (state, row, needed, text) => {
    const canTurnOn = state === "off" || state === "on";
    const buttons = canTurnOn ? ["Turn on notifications"] : [];
    const among = async (...checks: Check[]) => {
      const { states, primary, last } = await readAnswered(checks, device(state));
      return [states.at(-1), primary, last.slice(-1 - buttons.length)];
    };
    expect(await among({ code: "push_none" })).toEqual([row, [], [text, ...buttons]]);
    const stressed = canTurnOn ? [1] : [];
    for (const code of ["push_needed", "push_lost"] as const)
      expect(await among({ code })).toEqual([needed, stressed, [text, ...buttons]]);
    // Something else comes first.
    expect(await among({ code: "link_missing" }, { code: "push_needed" })).toEqual([
      needed,
      [0],
      [text, ...buttons],
    ]);
  },
);

it("believes a device that has push messages on where the server knows of one", async () => {
  const { states, last } = await readAnswered([{ code: "push_on", browsers: 1 }], device("on"));
  expect([states.at(-1), last.at(-1)]).toEqual([
    "ok",
    "Push notifications are on, even when the page is closed.",
  ]);
});

it("says why push messages could not be turned on", async () => {
  const failed = { ...device("off"), errorText: "Try again." };
  expect((await readAnswered(GOOD, failed)).last.at(-1)).toBe("Try again.");
  expect((await readAnswered(GOOD, { ...failed, isUpdating: true })).last.at(-1)).not.toBe("Try again.");
});
