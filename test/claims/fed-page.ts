import type { BrowserContext, Page, WebSocketRoute } from "playwright-core";
import { type Snapshot, LIVE_PING, LIVE_PONG } from "../../db/shapes/work/live.ts";
import { DAY_MS, HOUR_MS } from "../../db/shapes/units.ts";
import type { User } from "../../worker/contract/account/user.ts";
import { checkList } from "../../durable/engine/checks/check-list.ts";
import type { OfferHoursResponse, WeekResponse } from "../../worker/contract/work/statistics.ts";
import { SETTINGS } from "../engine/fixtures.ts";
import { objectStateIn } from "./object-states.ts";
import { CASES, DAYS_LEFT, snapshotIn, type Cell } from "./states.ts";

/** The server's responses for the driver, who is on and linked, with service, a block that begins soon and earnings. */
export type RealResponses = {
  snapshot: Snapshot;
  user: User;
  earnings: { asOf: number } & Record<string, unknown>;
  plans: Record<string, unknown>;
  week: WeekResponse;
  offerHours: OfferHoursResponse;
};

const ACCESS = { "access-control-allow-origin": "*" };

/** A page to which the server's object and database are in a cell's state as of `now`. `cut` cuts the connection. */
export async function feed(
  page: Page,
  context: BrowserContext,
  real: RealResponses,
  cell: Cell,
): Promise<{ now: number; cut: () => Promise<void> }> {
  const now = Date.now();
  const snapshot = snapshotIn(real.snapshot, cell, now);
  const sockets = new Set<WebSocketRoute>();
  await page.routeWebSocket(/\/flex\/v1\/live$/u, (socket) => {
    sockets.add(socket);
    socket.onMessage((message) => {
      if (message === LIVE_PING) return socket.send(LIVE_PONG);
      if (String(message).includes('"resume"')) socket.send(JSON.stringify({ kind: "snapshot", snapshot }));
    });
  });
  const answers = responsesIn(real, cell, snapshot, now);
  await page.route(/\/flex\/v1\//u, async (route) => {
    const { pathname } = new URL(route.request().url());
    const json = route.request().method() === "GET" ? answers[pathname] : undefined;
    return json === undefined ? route.fallback() : route.fulfill({ json, headers: ACCESS });
  });
  return {
    now,
    cut: async () => {
      await context.setOffline(true);
      for (const socket of sockets) await socket.close();
    },
  };
}

/** The responses that follow from a state, as the server would make them. */
function responsesIn(
  { user, earnings, plans, week, offerHours }: RealResponses,
  cell: Cell,
  snapshot: Snapshot,
  now: number,
): Readonly<Record<string, unknown>> {
  const { linked, hasDays, checkIn, looking } = CASES[cell.name];
  const waitsForSpot = cell.name === "no_spot";
  const { serviceUntil, pausedUntil = null } = snapshot;
  const isNew = cell.name === "off_unlinked";
  const [block] = snapshot.held;
  const obstacles = {
    possible: null,
    link: { kind: "not_linked" },
    verify: { kind: "verification_required" },
    wait: { kind: "wait", until: "until" in snapshot.phase ? snapshot.phase.until : null },
  };
  const warehouse = snapshot.warehouses.find(({ warehouseId }) => warehouseId === block?.warehouseId);
  const isOld = !linked || looking === "later";
  return {
    "/flex/v1/user": {
      Item: {
        ...user,
        userDisabled: snapshot.switchedOn ? 0 : 1,
        proxyInstalled: linked,
        setupComplete: linked,
        goodStanding: hasDays,
        waitingForSpot: waitsForSpot,
        expirationDateTimestamp: serviceUntil ?? 0,
      },
    },
    "/flex/v1/user/earnings": {
      earnings: isOld ? { ...earnings, isStale: true, asOf: now - 2 * HOUR_MS } : earnings,
    },
    "/flex/v1/blocks/next": { block, warehouse: warehouse ?? null, obstacle: obstacles[checkIn] },
    "/flex/v1/setup": linked ? { step: "linked" } : { step: "credentials" },
    "/flex/v1/plans": { ...plans, serviceUntil },
    "/flex/v1/checks": { checks: checksIn(cell, now) },
    "/flex/v1/week": week,
    "/flex/v1/offer-hours": isNew ? { ...offerHours, knownFrom: null, warehouses: [] } : offerHours,
    "/flex/v1/pause": {
      pausedUntil,
      pausesLeft: 4,
      daysLeft: 14,
      obstacle: waitsForSpot ? "waiting" : hasDays ? null : "short",
      serviceUntil,
    },
    "/flex/v1/calendar": {
      calendar: { feedId: crypto.randomUUID(), createdAt: now - DAY_MS, withPay: false, isPaused: false },
    },
    "/flex/v1/spot": {
      spot: waitsForSpot ? { status: "waiting", city: "Boston", place: 3, waiting: 8, joinedPlace: 5 } : null,
      // Only linking says whether there is a spot.
      mustLink: !linked,
    },
    "/flex/v1/payments/renewal": { renewal: hasDays ? renewalIn(now) : null },
  };
}

/** The list as the driver's object makes it, of a driver whose texts arrive. */
function checksIn(cell: Cell, now: number) {
  return checkList({
    state: objectStateIn(cell, now),
    now,
    settings: SETTINGS,
    texts: { status: "ok" },
    wantsTexts: true,
    isNumberPending: false,
    push: { browsers: 0, lostAt: null },
  });
}

function renewalIn(now: number) {
  return {
    plan: "14days",
    capCents: 9_062,
    currency: "USD",
    status: "on",
    chargeAt: now + (DAYS_LEFT - 1) * DAY_MS,
    card: { type: "card", brand: "visa", last4: "4242" },
    pause: null,
  };
}
