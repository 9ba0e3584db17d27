import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { snapshot, type Snapshot } from "../../../db/shapes/work/live.ts";
import { liveStore, resetLive } from "../../../web/api/live/live.ts";
import type { LiveState } from "../../../web/api/live/live-state.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { Dashboard } from "../../../web/features/dashboard/dashboard.tsx";
import { DEVICE_TIME_ZONE, formatTime } from "../../../web/features/language/format.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { makeBlock, makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";
import { quietSnapshot } from "../../support/quiet-snapshot.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => {
  resetLive();
  vi.useRealTimers();
});

const first = makeBlock(makeOffer("first"));
const second = makeBlock(makeOffer("second", { startsAt: NOON + 7 * HOUR_MS }));

const SNAPSHOT: Snapshot = z.parse(snapshot, {
  ...quietSnapshot(NOON),
  warehouses: [makeWarehouse()],
  held: [first, second],
  today: { captured: 1, passedOver: 0, gone: 0, capturedCents: 9000 },
});
const OPEN = { snapshot: SNAPSHOT, connection: "open", lastMessageAt: NOON } as const;

async function htmlIn(live: Partial<LiveState>): Promise<string> {
  liveStore.setState((state) => ({ ...state, ...live }));
  return htmlOfPart(createElement(Dashboard), {
    answered: [
      [userQuery.queryKey, RECORD],
      [configQuery.queryKey, { productName: "Jornada", currency: "USD", vapidPublicKey: null }],
    ],
  });
}

/** An element of some HTML, by its test id and tag. */
function elementIn(html: string, testId: string, tag: string): string {
  return new RegExp(`<${tag}[^>]*data-testid="${testId}".*?</${tag}>`, "su").exec(html)?.[0] ?? "";
}

it.each<[what: string, live: Partial<LiveState>, texts: string[]]>([
  ["nothing yet", {}, ["Connecting…"]],
  [
    "nothing, without a connection",
    { connection: "waiting" },
    ["We couldn't load your dashboard", "If you're on, we're still capturing. We'll keep trying."],
  ],
  [
    "nothing, and its session has ended",
    { connection: "revoked" },
    ["Your session ended. Sign in again to see your dashboard."],
  ],
  [
    "nothing that this release can read",
    { connection: "open", isUnreadable: true },
    [
      "We couldn't load your dashboard",
      "This page is older than our service. Reload it. If you're on, we're still capturing.",
      "Reload",
    ],
  ],
])("says what it waits for, where it knows %s", async (_what, live, texts) => {
  expect(textsIn(await htmlIn(live))).toEqual(["Home", ...texts]);
});

it("names the next block until it ends", async () => {
  const glanceAt = async (now: number) => {
    vi.setSystemTime(now);
    return textsIn(elementIn(await htmlIn(OPEN), "glance", "dl")).slice(0, 2);
  };
  expect([
    await glanceAt(NOON),
    await glanceAt(first.endsAt - 1),
    await glanceAt(first.endsAt),
    await glanceAt(second.endsAt),
  ]).toEqual([
    ["Next block", "3:00 PM"],
    ["Next block", "3:00 PM"],
    ["Next block", "7:00 PM"],
    ["Next block", "None yet"],
  ]);
});

it("begins the day anew at midnight, also where nothing arrives", async () => {
  const midnight = NOON + 12 * HOUR_MS;
  const capturedAt = async (now: number) => {
    vi.setSystemTime(now);
    return textsIn(elementIn(await htmlIn(OPEN), "glance", "dl")).slice(2);
  };
  expect([await capturedAt(midnight - 1), await capturedAt(midnight)]).toEqual([
    ["Captured today", "$90"],
    ["Captured today", "$0"],
  ]);
});

it("names no captures of a day of which it has heard nothing", async () => {
  const cut = { ...OPEN, connection: "waiting" } as const;
  const glanceAt = async (now: number) => {
    vi.setSystemTime(now);
    return textsIn(elementIn(await htmlIn(cut), "glance", "dl")).slice(2);
  };
  const midnight = NOON + 12 * HOUR_MS;
  expect([await glanceAt(midnight - 1), await glanceAt(midnight)]).toEqual([["Captured today", "$90"], []]);
});

/** Noon where the test runs. */
const [HERE] = textsIn(formatTime(NOON, { timeZone: DEVICE_TIME_ZONE, now: NOON }));
const GLANCE = ["Next block", "3:00 PM", "Captured today", "$90"];

it.each<[what: string, live: Partial<LiveState>, light: string, title: string, texts: string[]]>([
  [
    "what is so",
    {},
    "answering",
    "Looking for blocks",
    ["Leave it on. We'll notify you the moment we capture one."],
  ],
  ...(
    [
      ["without a connection", { connection: "waiting" }],
      ["after a silence", { isStale: true }],
      ["after a message that it can't read", { isUnreadable: true }],
    ] as const
  ).map(([what, live]): [string, Partial<LiveState>, string, string, string[]] => [
    `what was last known, ${what}`,
    live,
    "offline",
    "No connection",
    [
      "Last known: Looking for blocks",
      `Last updated ${HERE}. You can turn it on or off once we're connected again.`,
    ],
  ]),
])("says on the system's card %s", async (_what, live, light, title, texts) => {
  const html = await htmlIn({ ...OPEN, ...live });
  const card = textsIn(elementIn(html, "system-card", "section"));
  expect(card.slice(0, 1 + GLANCE.length + texts.length)).toEqual([title, ...GLANCE, ...texts]);
  const button = elementIn(html, "system-switch", "button");
  expect([button.includes(`data-light="${light}"`), button.includes('aria-checked="true"')]).toEqual([
    true,
    true,
  ]);
});
