import { act, screen } from "@testing-library/react";
import * as z from "zod/mini";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { snapshot } from "../../../db/shapes/work/live.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { configQuery } from "../../../web/api/queries/user.ts";
import "../../../web/features/offers/offer-details.tsx";
import { makeBlock, makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { quietSnapshot } from "../../support/quiet-snapshot.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import * as live from "../../../web/api/live/live.ts";
import { UpcomingBlocks } from "../../../web/features/blocks/upcoming-blocks.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { renderPart } from "../../support/rendered-part.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.spyOn(live, "connectLive").mockReturnValue(vi.fn()));
afterEach(() => {
  live.resetLive();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it.each([
  [{ connection: "connecting" }, /^Loading/u],
  [{ connection: "waiting" }, /^Error loading blocks:.*We'll keep trying/u],
  [{ connection: "open", isUnreadable: true }, /^Error loading blocks:.*older than our service.*Reload/u],
  [{ connection: "revoked" }, /^Your session ended/u],
] as const)("says why no block is shown while there is no snapshot: %j", async (state, text) => {
  await renderPart(createElement(UpcomingBlocks));
  act(() => live.liveStore.setState((before) => ({ ...before, ...state })));
  const said = screen.queryByRole("alert") ?? screen.getByRole("status");
  expect(said.textContent).toMatch(text);
});

it.each([
  ["was given back", {}, "Forfeited"],
  ["has begun", { at: NOON + 4 * HOUR_MS }, "In progress until 6:00 PM"],
  ["is of an account that is left", { isLinked: false }, "Starts in 3 hr"],
])(
  "says in the open sheet what became of a block that is no longer held: it %s",
  async (_what, then, status) => {
    storeSession(localStorage);
    scriptNetwork();
    vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
    const shown = (fields: object) =>
      z.parse(snapshot, { ...quietSnapshot(NOON), warehouses: [makeWarehouse()], ...fields });
    const show = (fields: object) =>
      act(() =>
        live.liveStore.setState((before) => ({ ...before, connection: "open", snapshot: shown(fields) })),
      );
    await renderPart(createElement(UpcomingBlocks), {
      answered: [[configQuery.queryKey, { productName: "Jornada", giveBack: { minutes: 45, url: null } }]],
    });
    show({ held: [makeBlock(makeOffer("a"))] });
    act(() => screen.getByTestId("offer-line").click());
    const said = () =>
      screen.queryByTestId("block-status")?.firstChild?.textContent?.replaceAll("\u00a0", " ");
    await expect.poll(said).toBe("Starts in 3 hr");
    if ("at" in then) vi.setSystemTime(then.at);
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    show({ held: [], ...then });
    await expect.poll(said).toBe(status);
  },
);
