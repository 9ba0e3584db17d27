import { act, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import type { EarningsResponse } from "../../../db/shapes/work/earnings.ts";
import { snapshot } from "../../../db/shapes/work/live.ts";
import { liveStore, resetLive } from "../../../web/api/live/live.ts";
import { earningsQuery } from "../../../web/api/queries/user.ts";
import { EarningsCard } from "../../../web/features/dashboard/earnings-card.tsx";
import { TodaySummary } from "../../../web/features/dashboard/today-summary.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { NOON } from "../../engine/fixtures.ts";
import { quietSnapshot } from "../../support/quiet-snapshot.ts";
import { rowsOf, textsIn } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";

/** On the day of `EARNED`. */
const NOW = NOON - 8 * DAY_MS;

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
afterEach(() => {
  resetLive();
  vi.useRealTimers();
});

type Earnings = NonNullable<EarningsResponse["earnings"]>;

/** A week with one block, on that day. */
function weekOf(day: number, cents: number, tipsCents = 0): Earnings["thisWeek"] {
  const days = Array.from({ length: 7 }, (_, index) => ({
    date: `2026-06-0${index + 1}`,
    ...(index === day ? { blocks: 1, cents, tipsCents } : { blocks: 0, cents: 0, tipsCents: 0 }),
  }));
  return { cents, tipsCents, blocks: cents > 0 ? 1 : 0, days };
}
const EARNED: Earnings = {
  currency: "USD",
  today: "2026-06-02",
  timeZone: "America/New_York",
  thisWeek: weekOf(1, 9_000, 500),
  lastWeek: weekOf(0, 3_800),
  asOf: NOW - HOUR_MS,
  isStale: false,
};

const openCard = (earnings: Partial<Earnings> | null) =>
  renderPart(createElement(EarningsCard), {
    answered: [[earningsQuery.queryKey, { earnings: earnings && { ...EARNED, ...earnings } }]],
  });

async function htmlOfCard(earnings: Partial<Earnings> | null): Promise<string> {
  const { html, unmount } = await openCard(earnings);
  const shown = html();
  unmount();
  return shown;
}
/** Its texts between its title and the link to the week. */
const read = async (earnings: Partial<Earnings> | null) => textsIn(await htmlOfCard(earnings)).slice(1, -1);

function linkedAs(isLinked: boolean): void {
  const shown = z.parse(snapshot, {
    seq: 1,
    at: NOW,
    phase: { kind: "off" },
    switchedOn: false,
    isLinked,
    mode: "lucrative",
    specialMode: null,
    filtersVersion: 1,
    serviceUntil: null,
    lastPollAt: null,
    timeZone: "America/New_York",
    warehouses: [],
    held: [],
    today: { captured: 0, passedOver: 0, gone: 0, capturedCents: 0 },
    feed: [],
  });
  liveStore.setState((state) => ({ ...state, snapshot: shown, connection: "open", lastMessageAt: NOW }));
}

it("sums up today, this week and the last one with tips", async () => {
  expect((await read({})).slice(0, 6)).toEqual([
    "Today",
    "$95.00",
    "This week",
    "$95.00",
    "Last week",
    "$38.00",
  ]);
  vi.setSystemTime(NOW + DAY_MS);
  expect((await read({ today: "2026-06-03" })).slice(0, 2)).toEqual(["Today", "$0.00"]);
  const tips = (texts: string[]) => texts.filter((text) => text.startsWith("Includes"));
  expect(tips(await read({}))).toEqual(["Includes $5 in tips this week."]);
  expect(tips(await read({ thisWeek: weekOf(1, 9_000), lastWeek: weekOf(0, 3_800, 700) }))).toEqual([
    "Includes $7 in tips last week.",
  ]);
});

it("has the days of both weeks as a table", async () => {
  const [, ...rows] = rowsOf(await htmlOfCard({}), "Earnings by day");
  expect(rows.slice(0, 3)).toEqual([
    ["Monday", "$0.00", "$38.00"],
    ["Tuesday", "$95.00", "$0.00"],
    ["Wednesday", "$0.00", "$0.00"],
  ]);
  expect(rows).toHaveLength(7);
});

it("has bars as tall as a day's pay beside the best day, and its figure above the taller one", async () => {
  const [, bars = ""] = (await htmlOfCard({ thisWeek: weekOf(0, 1_900) })).split('aria-hidden="true"');
  const styles = (html: string) => [...html.matchAll(/style="([^"]*)"/gu)].map(([, style]) => style);
  const [, monday = "", tuesday = ""] = bars.split("<li");
  expect([styles(monday), textsIn(`<i ${monday}`)]).toEqual([
    ["height: 100%;", "height: 50%;", "top: 0%;"],
    ["19", "Mon"],
  ]);
  expect([styles(tuesday), textsIn(`<i ${tuesday}`)]).toEqual([["height: 0%;", "height: 0%;"], ["Tue"]]);
});

it("says how old figures are that could not be renewed, and why", async () => {
  linkedAs(true);
  const last = async () => (await read({ isStale: true })).at(-1);
  expect([await last(), (await read({})).at(-1)]).toEqual([
    "We couldn't get newer numbers. These are from 60 min. ago.",
    "Includes $5 in tips this week.",
  ]);
  linkedAs(false);
  expect(await last()).toBe("Your account isn't linked. These numbers are from 60 min. ago.");
});

it("says why there are no figures", async () => {
  const none = weekOf(0, 0);
  linkedAs(true);
  const text = "They show up here once your account is linked and the platform answers.";
  expect(await read(null)).toEqual(["No earnings from the platform yet", text]);
  expect((await read({ thisWeek: none, lastWeek: none }))[0]).toBe("No earnings this week or last week");
  expect((await read({ thisWeek: none }))[0]).toBe("Today");
  linkedAs(false);
  expect(await read(null)).toEqual(["Link your account to see your earnings", text]);
});

it("follows the live state while it is open, and takes over newer figures", async () => {
  linkedAs(true);
  const { html, arrives } = await openCard({ isStale: true });
  const last = () => textsIn(html()).at(-2);
  expect(last()).toMatch(/^We couldn't get newer numbers/u);
  act(() => linkedAs(false));
  expect(last()).toMatch(/^Your account isn't linked/u);
  act(() => linkedAs(true));
  arrives(earningsQuery.queryKey, { earnings: { ...EARNED, thisWeek: weekOf(1, 10_000) } });
  await expect.poll(() => textsIn(html())).toContain("$100.00");
  expect(html()).not.toContain("newer numbers");
  expect(screen.getByRole("link", { name: "Weekly summary" }).getAttribute("href")).toBe("/flex/week");
});

it("counts today's offers, each with a way to its list", async () => {
  const system = {
    today: { captured: 1_200, passedOver: 3, gone: 2, capturedCents: 9_000 },
    usedLimits: [],
    timeZone: "America/New_York",
  };
  const { html } = await renderPart(createElement(TodaySummary, { system, currency: "USD" }));
  expect(textsIn(html())).toEqual([
    "Today",
    "$90 captured today",
    "1,200",
    "Captured",
    "3",
    "Skipped",
    "2",
    "Missed",
  ]);
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/flex/blocks?type=won",
    "/flex/blocks?type=disliked",
    "/flex/blocks?type=lost",
  ]);
});

it("counts nothing of a day of which it has heard nothing, and says since when", async () => {
  vi.setSystemTime(NOW + 12 * HOUR_MS);
  const known = z.parse(snapshot, quietSnapshot(NOW));
  liveStore.setState((live) => ({ ...live, snapshot: known, connection: "waiting", lastMessageAt: NOW }));
  const { html } = await renderPart(createElement(TodaySummary, { system: known, currency: "USD" }));
  expect(textsIn(html())).toEqual([
    "Today",
    expect.stringMatching(/^No connection since .*today's numbers yet/u),
  ]);
});

it("names no earnings of today where the device kept those of yesterday", async () => {
  linkedAs(true);
  const firstAt = async (now: number) => {
    vi.setSystemTime(now);
    return (await read({})).slice(0, 1);
  };
  const midnight = Date.parse(`${EARNED.today}T24:00:00-04:00`);
  expect([await firstAt(midnight - 1), await firstAt(midnight)]).toEqual([["Today"], ["This week"]]);
});
