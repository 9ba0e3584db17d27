import { act, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { snapshot, type Snapshot } from "../../../db/shapes/work/live.ts";
import type { QuestionId } from "../../../db/shapes/work/question.ts";
import * as live from "../../../web/api/live/live.ts";
import { rafflesQuery } from "../../../web/api/queries/rewards.ts";
import { configQuery, earningsQuery, userQuery } from "../../../web/api/queries/user.ts";
import { Dashboard } from "../../../web/features/dashboard/dashboard.tsx";
// Loaded by now, so that what the screen loads later isn't under way when the file ends.
import "../../../web/features/dashboard/announcements.tsx";
import "../../../web/features/dashboard/earnings-card.tsx";
import "../../../web/features/dashboard/feed.tsx";
import "../../../web/features/dashboard/feedback-card.tsx";
import "../../../web/features/dashboard/next-block.tsx";
import "../../../web/features/dashboard/today-summary.tsx";
import "../../../web/features/health/others-notice.tsx";
import "../../../web/features/notifications/push-prompt.tsx";
import "../../../web/features/passkeys/passkey-offer.tsx";
import "../../../web/features/passkeys/recovery-warning.tsx";
import "../../../web/features/payments/lost-days.tsx";
import "../../../web/features/payments/renewal-notice.tsx";
import "../../../web/features/questions/question-cards.tsx";
import "../../../web/features/raffle/raffle-won.tsx";
import "../../../web/features/recording/recording-question.tsx";
import "../../../web/features/rewards/points-card.tsx";
import "../../../web/features/spots/waiting-spot.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { quietSnapshot } from "../../support/quiet-snapshot.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  storeSession(localStorage);
  scriptNetwork();
});
afterEach(() => {
  live.resetLive();
  vi.restoreAllMocks();
});

const SNAPSHOT: Snapshot = z.parse(snapshot, { ...quietSnapshot(NOON), warehouses: [makeWarehouse()] });
const WON = { raffles: [{ id: "r1", hasWon: true, plan: "7days", endsAt: Date.now() }] };
const LEAD = "You won the raffle";

async function openDashboard() {
  const leave = vi.fn();
  const connect = vi.spyOn(live, "connectLive").mockReturnValue(leave);
  const { unmount } = await renderPart(createElement(Dashboard), {
    answered: [
      [userQuery.queryKey, RECORD],
      [configQuery.queryKey, { productName: "Jornada", currency: "USD", vapidPublicKey: null }],
      [rafflesQuery.queryKey, WON],
      [earningsQuery.queryKey, { earnings: null }],
    ],
  });
  return { unmount, connect, leave };
}

it("shows the switch first, and once that is painted the cards beside it", async () => {
  const frames: (() => void)[] = [];
  vi.stubGlobal("requestAnimationFrame", (paint: () => void) => frames.push(paint));
  await openDashboard();
  const shown = { snapshot: SNAPSHOT, connection: "open", lastMessageAt: Date.now() } as const;
  act(() => live.liveStore.setState((state) => ({ ...state, ...shown })));
  await screen.findAllByRole("switch");
  await expect.poll(() => frames.length).toBeGreaterThan(0);
  expect(screen.queryByText(LEAD)).toBeNull();
  for (const paint of frames) paint();
  await screen.findByText(LEAD);
});

it("is connected for as long as it is on the screen", async () => {
  const { unmount, connect, leave } = await openDashboard();
  expect([connect.mock.calls.length, leave.mock.calls.length]).toEqual([1, 0]);
  unmount();
  expect([connect.mock.calls.length, leave.mock.calls.length]).toEqual([1, 1]);
});

it("has a question read that comes while it is open", async () => {
  await openDashboard();
  const shown = { connection: "open", lastMessageAt: Date.now() } as const;
  const arrives = (questions: Snapshot["questions"]) =>
    act(() =>
      live.liveStore.setState((state) => ({ ...state, ...shown, snapshot: { ...SNAPSHOT, questions } })),
    );
  arrives([]);
  await screen.findAllByRole("switch");
  const regions = [...document.querySelectorAll("[aria-live]")];
  const offer = makeOffer("a");
  const [askedAt, closesAt] = [Date.now(), Date.now() + 60_000];
  const question = {
    questionId: "q1" as QuestionId,
    offer,
    place: null,
    filtersVersion: 1,
    askedAt,
    closesAt,
  };
  arrives([{ ...question, state: { status: "waiting" } }]);
  const card = await screen.findByTestId("question");
  expect(regions.filter((region) => region.contains(card))).toHaveLength(1);
  expect(document.querySelectorAll("[aria-live] [aria-live]")).toHaveLength(0);
});
