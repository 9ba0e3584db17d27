import { onlineManager } from "@tanstack/react-query";
import { act, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { snapshot, type Snapshot } from "../../../db/shapes/work/live.ts";
import * as live from "../../../web/api/live/live.ts";
import { setupQuery } from "../../../web/api/queries/setup.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { PhaseAction } from "../../../web/features/dashboard/phase-action.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { LinkingFlow } from "../../../web/features/linking/linking-flow.tsx";
import { makeBlock, makeOffer, makeWarehouse } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { quietSnapshot } from "../../support/quiet-snapshot.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));
afterEach(() => {
  onlineManager.setOnline(true);
  live.resetLive();
  vi.restoreAllMocks();
});

const SELFIE = "Verify on the platform";
const CHECK_IN = "Check-in at the warehouse";
const LINKED = { ...RECORD, proxyInstalled: true, setupComplete: true, flexEmail: "ana@example.com" };
const VERIFY: Snapshot["phase"] = { kind: "verification_required", url: "https://verify.example.com/selfie" };

function snapshotOf(fields: Partial<Snapshot>): Snapshot {
  return z.parse(snapshot, { ...quietSnapshot(Date.now()), warehouses: [makeWarehouse()], ...fields });
}

/** A block that starts in twenty minutes. */
function nearBlock() {
  const startsAt = Date.now() + 20 * MINUTE_MS;
  return makeBlock(makeOffer("a", { startsAt, endsAt: startsAt + 180 * MINUTE_MS }));
}

function setOnline(isOnline: boolean) {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(isOnline);
  act(() => void window.dispatchEvent(new Event(isOnline ? "online" : "offline")));
}

const show = (shown: Snapshot) =>
  live.liveStore.setState((state) => ({
    ...state,
    snapshot: shown,
    connection: "open",
    lastMessageAt: Date.now(),
  }));

/** The screen of an account that is linked, over what the driver's object last said. */
async function openLinked(shown: Snapshot) {
  const network = scriptNetwork();
  network.answer({ "GET /flex/v1/user/im-here/data": { body: { token: "t" } } });
  vi.spyOn(live, "connectLive").mockReturnValue(() => undefined);
  show(shown);
  return renderPart(createElement(LinkingFlow, { currentStep: "credentials" }), {
    answered: [
      [setupQuery.queryKey, { step: "linked" }],
      [userQuery.queryKey, LINKED],
      [configQuery.queryKey, { productName: "Jornada" }],
    ],
  });
}

const button = (name: string) => screen.getByRole("button", { name });

it.each([
  ["a selfie", SELFIE, SELFIE, { phase: VERIFY }],
  ["a check-in", "I've arrived", CHECK_IN, { held: [nearBlock()] }],
])("keeps %s open where the connection is lost for a moment", async (_, name, title, fields) => {
  const { user } = await openLinked(snapshotOf(fields));
  await user.click(button(name));
  const frame = await screen.findByTitle(title);
  setOnline(false);
  expect(screen.queryByTitle(title)).toBe(frame);
  await user.click(button("Close"));
  expect(screen.queryByTitle(title)).toBeNull();
  expect(buttonNames()).not.toContain(name);
  setOnline(true);
  expect(buttonNames()).toContain(name);
});

it("closes a selfie once the platform asks for none any more", async () => {
  const { user } = await openLinked(snapshotOf({ phase: VERIFY }));
  await user.click(button(SELFIE));
  await screen.findByTitle(SELFIE);
  act(() => show(snapshotOf({ phase: { kind: "polling" } })));
  expect([screen.queryByTitle(SELFIE), buttonNames()]).toEqual([null, []]);
});

it("has the way to the platform's page in a tab of its own, where it can't be framed", async () => {
  const { user } = await renderPart(
    createElement(PhaseAction, { system: { phase: VERIFY, isLinked: true }, now: Date.now() }),
    { answered: [[configQuery.queryKey, { productName: "Jornada" }]] },
  );
  await user.click(button(SELFIE));
  const link = await screen.findByRole("link", { name: "Open in a new tab" });
  expect(link.getAttribute("href")).toBe(VERIFY.url);
  setOnline(false);
  expect(screen.queryByTitle(SELFIE)).not.toBeNull();
});
