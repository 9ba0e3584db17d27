import { cleanup, screen } from "@testing-library/react";
import { createElement, Fragment, type ReactNode } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import type { Renewal } from "../../../worker/contract/money/saved-cards.ts";
import { renewalQuery } from "../../../web/api/queries/saved-cards.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { RenewalNoticeCard } from "../../../web/features/payments/renewal-notice.tsx";
import { ServiceEnding } from "../../../web/features/payments/service-time.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const NOTICE = { end: NOON + 30 * HOUR_MS, cents: 5_022 };
const ANNOUNCED: Renewal = {
  status: "on",
  pause: null,
  plan: "7days",
  currency: "USD",
  capCents: 6_000,
  card: { type: "card", brand: "visa", last4: "4242" },
  chargeAt: NOON + 6 * HOUR_MS,
  notice: NOTICE,
};
const SEEN = "POST /flex/v1/payments/renewal/seen";

/** The notice of a renewal in front of a driver, who scrolls to it with `look`. */
async function showNotice(
  renewal: Renewal | null,
  record: Partial<User> = {},
  ...besides: readonly ReactNode[]
) {
  const observers = new Set<Observer>();
  class Observer {
    readonly #report: (entries: { isIntersecting: boolean }[]) => void;
    readonly #threshold: number;
    constructor(report: (entries: { isIntersecting: boolean }[]) => void, { threshold = 0 } = {}) {
      this.#report = report;
      this.#threshold = threshold;
    }
    observe() {
      observers.add(this);
    }
    disconnect() {
      observers.delete(this);
    }
    /** So much of the card is on the screen. */
    see(part: number) {
      this.#report([{ isIntersecting: part >= this.#threshold }]);
    }
  }
  vi.stubGlobal("IntersectionObserver", Observer);
  storeSession(localStorage);
  const network = scriptNetwork();
  network.answer({ [SEEN]: { body: {} } });
  const part = await renderPart(createElement(Fragment, null, ...besides, createElement(RenewalNoticeCard)), {
    answered: [
      [userQuery.queryKey, { ...RECORD, userDisabled: 0, proxyInstalled: true, ...record }],
      [renewalQuery.queryKey, renewal],
    ],
  });
  return {
    ...network,
    ...part,
    look: (share = 1) => {
      for (const observer of observers) observer.see(share);
    },
    confirmed: () => network.calls.filter(({ operation }) => operation === SEEN).map(({ body }) => body),
    watched: () => observers.size,
  };
}

it("says when, how much, for which plan and from which card, and where to turn it off", async () => {
  const { html } = await showNotice(ANNOUNCED);
  expect(textsIn(html())).toEqual([
    "Your service renews 6:00 PM for $50.22",
    "7 days more, charged to Visa ending in 4242",
    "Turn off",
  ]);
  expect(screen.getByRole("link").getAttribute("href")).toBe("/flex/payments");
});

it("promises no renewal of a driver who is off, also where it falls due meanwhile", async () => {
  const waits = "We charge nothing while you're off, not linked or waiting for a spot.";
  const text = "7 days more, charged to Visa ending in 4242";
  const ahead = await showNotice(ANNOUNCED, { userDisabled: 1 });
  expect(textsIn(ahead.html())).toEqual(["Your service renews 6:00 PM for $50.22", text, waits, "Turn off"]);
  cleanup();
  const due = await showNotice({ ...ANNOUNCED, chargeAt: NOON }, { userDisabled: 1 });
  expect(textsIn(due.html())).toEqual(["Your renewal for $50.22 is waiting", text, waits, "Turn off"]);
});

it.each<[what: string, renewal: Renewal | null]>([
  ["was agreed to", null],
  ["was announced", { ...ANNOUNCED, notice: null }],
  ["was announced by a server of before", { ...ANNOUNCED, notice: undefined }],
  ["will be charged", { ...ANNOUNCED, status: "off", chargeAt: null }],
])("is nothing, and counts as told to nobody, where none %s", async (_what, renewal) => {
  const { html, look, confirmed } = await showNotice(renewal);
  look();
  expect([html(), confirmed()]).toEqual(["", []]);
});

it("counts as told once all of it stood on a screen that somebody may look at, and once alone", async () => {
  const { look, confirmed, watched } = await showNotice(ANNOUNCED);
  look(0.5);
  const visible = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  look();
  visible.mockRestore();
  expect([confirmed(), watched()]).toEqual([[], 1]);
  look();
  await expect.poll(confirmed).toEqual([NOTICE]);
  look();
  expect([confirmed(), watched()]).toEqual([[NOTICE], 0]);
});

it("counts as told where renewal is turned on again after its charge was announced", async () => {
  const { look, confirmed, watched, arrives } = await showNotice({
    ...ANNOUNCED,
    status: "off",
    chargeAt: null,
  });
  arrives(renewalQuery.queryKey, ANNOUNCED);
  await expect.poll(watched).toBe(1);
  look();
  await expect.poll(confirmed).toEqual([NOTICE]);
});

it("counts as told anew where another sum or another end is announced", async () => {
  const { look, confirmed, watched, arrives } = await showNotice(ANNOUNCED);
  const dearer = { ...NOTICE, cents: 5_500 };
  const later = { ...dearer, end: NOTICE.end + HOUR_MS };
  for (const notice of [NOTICE, dearer, later]) {
    arrives(renewalQuery.queryKey, { ...ANNOUNCED, notice });
    await expect.poll(watched).toBe(1);
    look();
  }
  await expect.poll(confirmed).toEqual([NOTICE, dearer, later]);
});

it("stays on the screen where the server doesn't hear that it was seen", async () => {
  const { answer, html, look, confirmed } = await showNotice(ANNOUNCED);
  answer({ [SEEN]: refusalReply("internal") });
  const before = html();
  look();
  await expect.poll(confirmed).toEqual([NOTICE]);
  expect([html(), screen.queryByRole("alert")]).toEqual([before, null]);
});

it("takes the place of the warning that days must be added, where it will be charged", async () => {
  const end = NOON + 20 * HOUR_MS;
  const soon = { ...ANNOUNCED, notice: { ...NOTICE, end } };
  const ending = createElement(ServiceEnding, { until: end, timeZone: "America/New_York" });
  const isWarned = async (renewal: Renewal | null, record: Partial<User> = {}) => {
    await showNotice(renewal, record, ending);
    const warning = screen.queryByText(/Add days to keep it/u);
    cleanup();
    return warning !== null;
  };
  expect(await isWarned(soon)).toBe(false);
  // Nobody is charged while off, and nothing is charged without a notice.
  expect([await isWarned(soon, { userDisabled: 1 }), await isWarned({ ...soon, notice: null })]).toEqual([
    true,
    true,
  ]);
  expect(await isWarned(null)).toBe(true);
});
