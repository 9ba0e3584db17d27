import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import type { ReplayDays } from "../../../db/shapes/work/replay.ts";
import type { ReplayResponse } from "../../../worker/contract/work/replay.ts";
import { filtersQuery, warehousesQuery } from "../../../web/api/queries/filters.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { toDraft } from "../../../web/features/filters/draft.ts";
import { ReplayLine, ReplaySheet } from "../../../web/features/filters/replay/replay-line.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { makeFilters, NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const REPLAY = "POST /flex/v1/filters/replay";
const FILTERS = makeFilters();
const FIGURES = { blocks: 3, payCents: 27_000, minutes: 540, likelyCents: 20_000 };
const SAME: ReplayResponse = {
  offers: 12,
  saved: FIGURES,
  edited: FIGURES,
  gained: [],
  dropped: [],
  costliest: null,
  warning: null,
  days: 7,
  currency: "USD",
  since: NOON,
  staysFrom: null,
  captured: { blocks: 1, payCents: 9_000 },
  odds: [],
  unseen: [],
};
const EMPTY: ReplayResponse = { ...SAME, since: null };
const answered: [readonly unknown[], unknown][] = [
  [userQuery.queryKey, RECORD],
  [filtersQuery.queryKey, { filters: FILTERS, version: 3, isComplete: true }],
  [warehousesQuery.queryKey, { warehouses: [] }],
];
const draft = toDraft(FILTERS, []);

async function openSheet(open = true) {
  const network = scriptNetwork();
  network.answer({ [REPLAY]: { body: EMPTY } });
  const [onClose, onDays, onDiscard] = [vi.fn(), vi.fn<(days: ReplayDays) => void>(), vi.fn()];
  const sheet = createElement(ReplaySheet, {
    open,
    onClose,
    draft,
    days: 7,
    onDays,
    onDiscard,
    isSaving: false,
  });
  const { user } = await renderPart(sheet, { answered });
  return {
    ...network,
    onClose,
    onDays,
    onDiscard,
    press: (name: string) => user.click(screen.getByRole("button", { name })),
    sent: () => network.calls.map(({ body: { days, mode } }) => ({ days, mode })),
  };
}

it("has a report on the draft once the sheet is open, and requests none before", async () => {
  const closed = await openSheet(false);
  expect([screen.queryByRole("dialog"), closed.sent()]).toEqual([null, []]);
  const { sent } = await openSheet();
  const report = within(await screen.findByRole("dialog", { name: "Before you save" }));
  await report.findByText("No offers in that time yet");
  expect(sent()).toEqual([{ days: 7, mode: undefined }]);
});

it("takes another time, and gives the draft up, at a press", async () => {
  const { press, onDays, onDiscard, onClose } = await openSheet();
  await press("Last 24 hours");
  await press("Undo");
  await press("Close");
  expect(onDays.mock.calls).toEqual([[1]]);
  expect([onDiscard, onClose].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

it("says since when there are past offers, where these don't fill the time", async () => {
  const { answer, press } = await openSheet();
  const since = Date.now() - 6 * DAY_MS;
  answer({ [REPLAY]: { body: { ...SAME, since: since + HOUR_MS, staysFrom: 0 } } });
  await press("Secure");
  expect(await screen.findByText(/^Past offers start on .+ here\./u)).toBeTruthy();
  answer({ [REPLAY]: { body: { ...SAME, since: since - HOUR_MS, staysFrom: 0 } } });
  await press("Lucrative");
  await press("Secure");
  await press("Turbo");
  await expect.poll(() => screen.queryByText(/Past offers start on/u)).toBeNull();
});

it("replays by another mode at a press, and by the driver's own again", async () => {
  const { press, sent } = await openSheet();
  const pressed = () =>
    ["Lucrative", "Secure"].map((name) => screen.getByRole("button", { name }).getAttribute("aria-pressed"));
  await screen.findByText("No offers in that time yet");
  expect(pressed()).toEqual(["true", "false"]);
  await press("Secure");
  await expect.poll(sent).toEqual([
    { days: 7, mode: undefined },
    { days: 7, mode: "secure" },
  ]);
  expect(pressed()).toEqual(["false", "true"]);
  await press("Lucrative");
  expect(pressed()).toEqual(["true", "false"]);
});

it("says that past offers couldn't be checked, and checks them again at a press", async () => {
  const { answer, press } = await openSheet();
  await screen.findByText("No offers in that time yet");
  answer({ [REPLAY]: "lost" });
  await press("Secure");
  await screen.findByText(/We couldn't check past offers just now\./u);
  answer({ [REPLAY]: { body: EMPTY } });
  await press("Try again");
  await screen.findByText("No offers in that time yet");
  expect(screen.queryByText(/We couldn't check/u)).toBeNull();
});

it("says in one line what a draft changes, and opens the report at a press", async () => {
  const { answer } = scriptNetwork();
  answer({ [REPLAY]: { body: EMPTY } });
  const onOpen = vi.fn();
  const { user } = await renderPart(createElement(ReplayLine, { draft, days: 7, onOpen }), { answered });
  const line = screen.getByRole("button");
  expect(line.textContent).toBe("Checking your changes against past offers…");
  await expect.poll(() => line.textContent).toBe("No past offers to check against yet.");
  expect(line.getAttribute("aria-busy")).toBe("false");
  await user.click(line);
  expect(onOpen.mock.calls).toHaveLength(1);
});
