import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { NextBlockResponse } from "../../../db/shapes/work/check-in.ts";
import { ArrivedScreen } from "../../../web/features/arrival/arrived-screen.tsx";
import { noteServerTime } from "../../../web/early/server-clock.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { BETHPAGE, makeBlock, makeOffer, makeWarehouse } from "../../engine/fixtures.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession, type Reply } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const startsAt = Date.now() + HOUR_MS;
const block = makeBlock(makeOffer("a", { warehouseId: BETHPAGE, startsAt, endsAt: startsAt + 3 * HOUR_MS }));
const warehouse = { ...makeWarehouse(), latitude: 40.7, longitude: -73.5, geofenceMeters: 200 };
const NEXT: NextBlockResponse = { block, warehouse, obstacle: null };
const AT_HOME = { latitude: 40.8, longitude: -73.5 };
const ON_SITE = { latitude: 40.7, longitude: -73.5 };
const CHECK_IN = `POST /flex/v1/blocks/${block.blockId}/check-in`;
const ONCE = "Try once now";
const AGAIN = "Try again";
const DONE = "You're checked in";
const outcome = (name: string, more: object = {}): Reply => ({ body: { outcome: name, ...more } });

/** A device that reports its position when a test says so. */
function stubDevice() {
  const listeners = new Map<number, [PositionCallback, PositionErrorCallback | null | undefined]>();
  let watches = 0;
  const watchPosition: Geolocation["watchPosition"] = (onPosition, onError) => {
    watches += 1;
    listeners.set(watches, [onPosition, onError]);
    return watches;
  };
  const clearWatch = (id: number) => void listeners.delete(id);
  vi.stubGlobal(
    "navigator",
    new Proxy(navigator, {
      get: (target, name) =>
        name === "geolocation"
          ? { watchPosition, clearWatch, getCurrentPosition: () => undefined }
          : Reflect.get(target, name, target),
      has: (target, name) => name === "geolocation" || Reflect.has(target, name),
    }),
  );
  return {
    watched: () => [...listeners.keys()],
    isAt: (place: { latitude: number; longitude: number }, accuracy = 10) => {
      const position = { coords: { ...place, accuracy }, timestamp: Date.now() } as GeolocationPosition;
      for (const [onPosition] of listeners.values()) onPosition(position);
    },
    fails: (code: 1 | 2) => {
      const error = { code, PERMISSION_DENIED: 1 } as GeolocationPositionError;
      for (const [, onError] of listeners.values()) onError?.(error);
    },
  };
}

async function arrive({
  instant = false,
  next = NEXT,
}: { instant?: boolean; next?: NextBlockResponse } = {}) {
  const network = scriptNetwork();
  const device = stubDevice();
  network.answer({ "GET /flex/v1/blocks/next": { body: next } });
  const part = await renderPart(createElement(ArrivedScreen, { token: null, instant }));
  await expect.poll(device.watched).toHaveLength(1);
  return {
    ...network,
    ...part,
    device,
    says: (title: string) => screen.findByText(title),
    press: (name: string) => part.user.click(screen.getByRole("button", { name })),
    sent: () => network.calls.filter(({ operation }) => operation === CHECK_IN).map(({ body }) => body),
  };
}

it("checks in by itself where the device is inside the warehouse's fence, once, and has nothing left to press", async () => {
  const { answer, device, says, sent } = await arrive();
  const arrival = Promise.withResolvers<void>();
  answer({ [CHECK_IN]: { body: { outcome: "checked_in", block }, after: arrival.promise } });
  await says("Finding your location…");
  device.isAt(AT_HOME);
  await says("6.9 mi to the warehouse");
  expect([buttonNames(), sent()]).toEqual([[ONCE], []]);
  device.isAt(ON_SITE);
  await says("Checking you in…");
  expect(buttonNames()).toEqual([]);
  device.isAt(ON_SITE);
  arrival.resolve();
  await says(DONE);
  expect(sent()).toEqual([{ ...ON_SITE, accuracyMeters: 10, observedAt: expect.any(Number) }]);
  expect([buttonNames(), screen.queryByText(/^Location accurate/u)]).toEqual([[], null]);
});

it("dates the device's position by the server's clock, where the device's own is wrong", async () => {
  noteServerTime(Date.now() + 20 * 60_000, Date.now());
  const { answer, device, sent } = await arrive();
  answer({ [CHECK_IN]: { body: { outcome: "checked_in", block } } });
  device.isAt(ON_SITE);
  await expect.poll(sent).toHaveLength(1);
  noteServerTime(Date.now(), Date.now());
  const [{ observedAt } = { observedAt: 0 }] = sent() as { observedAt: number }[];
  expect(Math.abs(observedAt - Date.now() - 20 * 60_000)).toBeLessThan(60_000);
});

it("sends where the device is at a press, outside of the fence, too, and takes the platform's word for the distance", async () => {
  const { answer, device, says, press, sent } = await arrive();
  answer({ [CHECK_IN]: outcome("outside_geofence", { distanceMeters: 3_218.7 }) });
  device.isAt(AT_HOME);
  await says("6.9 mi to the warehouse");
  await press(ONCE);
  await expect.poll(sent).toHaveLength(1);
  await expect.poll(buttonNames).toEqual([ONCE]);
});

it("tries once at once on a page that was opened for that, wherever the device is, and then only at a press", async () => {
  const { answer, device, says, press, sent } = await arrive({ instant: true });
  answer({ [CHECK_IN]: outcome("too_early", { opensAt: null }) });
  device.isAt(AT_HOME);
  await says("Too early to check in");
  await says("Try again once it's open.");
  device.isAt(AT_HOME);
  expect([sent().length, buttonNames()]).toEqual([1, [ONCE]]);
  await press(ONCE);
  await expect.poll(sent).toHaveLength(2);
});

it.each<[what: string, Reply, title: string, buttons: string[]]>([
  ["already done", outcome("already_checked_in"), DONE, []],
  ["too late", outcome("too_late"), "Too late to check in", []],
  ["unknown", outcome("a_later_outcome"), "We can't tell yet if you're checked in", [ONCE]],
  ["too early", outcome("too_early", { opensAt: null }), "Too early to check in", [ONCE]],
  ["no longer the driver's", refusalReply("not_found"), "We couldn't check you in", [ONCE]],
  [
    "by a wrong clock",
    refusalReply("invalid_request", { observedAt: "invalid" }),
    "We couldn't check you in",
    [ONCE],
  ],
  ["lost on the way", "lost", "We couldn't check you in", [ONCE]],
])(
  "says of a check-in that was %s, and offers what can still be done",
  async (_what, reply, title, buttons) => {
    const { answer, device, says } = await arrive();
    answer({ [CHECK_IN]: reply });
    device.isAt(ON_SITE);
    await says(title);
    expect(buttonNames()).toEqual(buttons);
  },
);

it("looks for the device anew at a press where it was denied or not found", async () => {
  const { device, says, press, answer } = await arrive();
  answer({ [CHECK_IN]: outcome("checked_in", { block }) });
  device.fails(1);
  await says("Your location is blocked");
  const [first] = device.watched();
  await press(AGAIN);
  await says("Finding your location…");
  expect([device.watched().length, device.watched()[0] === first]).toEqual([1, false]);
  device.fails(2);
  await says("We can't find your location");
  expect(buttonNames()).toEqual([AGAIN]);
  device.isAt(ON_SITE, 5_000);
  await says("Your location isn't exact enough");
  device.isAt(ON_SITE);
  await says(DONE);
});

it.each<[what: string, next: Partial<NextBlockResponse>, title: string, buttons: string[]]>([
  ["a block", { block: null, warehouse: null }, "No block to check in to", []],
  ["anything to do", { block: { ...block, status: "checked_in" } }, DONE, []],
  ["a link", { obstacle: { kind: "not_linked" } }, "Your account isn't linked", []],
  [
    "a verified driver",
    { obstacle: { kind: "verification_required" } },
    "Action needed: verify it's you",
    [AGAIN],
  ],
])("sends nothing without %s", async (_what, next, title, buttons) => {
  const { device, says, sent } = await arrive({ next: { ...NEXT, ...next } });
  device.isAt(ON_SITE);
  await says(title);
  expect([buttonNames(), sent()]).toEqual([buttons, []]);
});
