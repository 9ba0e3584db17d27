import { QueryClient, type FetchQueryOptions } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  deleteDriverData,
  endOtherSessions,
  endSession,
  fetchExport,
  requestPreferredPhoneCode,
  sessionsQuery,
  unlinkPlatform,
  verifyPreferredPhone,
} from "../../../web/api/queries/account.ts";
import { fetchArrivalToken, nextBlockQuery } from "../../../web/api/queries/arrival.ts";
import { otherOffersQuery, passedOverQuery, takeBlockAgain } from "../../../web/api/queries/blocks.ts";
import {
  calendarQuery,
  fetchCalendarAddress,
  makeCalendar,
  removeCalendar,
  resumeCalendar,
  setCalendarPay,
} from "../../../web/api/queries/calendar.ts";
import { checksQuery } from "../../../web/api/queries/checks.ts";
import { feedbackQuery, sendFeedback } from "../../../web/api/queries/feedback.ts";
import { filtersQuery, putFilters, warehousesQuery } from "../../../web/api/queries/filters.ts";
import { inviterQuery } from "../../../web/api/queries/inviter.ts";
import {
  notificationsQuery,
  remindersQuery,
  sendTestText,
  textsQuery,
} from "../../../web/api/queries/notifications.ts";
import {
  passkeysQuery,
  removePasskey,
  renamePasskey,
  undoRecovery,
} from "../../../web/api/queries/passkeys.ts";
import { cancelPayment, paymentQuery, plansQuery, receiptQuery } from "../../../web/api/queries/payments.ts";
import { platformHealthQuery } from "../../../web/api/queries/platform-health.ts";
import { publicPlansQuery } from "../../../web/api/queries/public-plans.ts";
import { recordingQuery, saveRecordingConsent } from "../../../web/api/queries/recording.ts";
import {
  invitationsQuery,
  raffleQuery,
  rafflesQuery,
  redeemReward,
  rewardsQuery,
} from "../../../web/api/queries/rewards.ts";
import {
  cardSessionQuery,
  removeSavedCard,
  renewalQuery,
  savedCardsQuery,
} from "../../../web/api/queries/saved-cards.ts";
import { beginPause, endPause, lostDaysQuery, pauseQuery } from "../../../web/api/queries/service-time.ts";
import { resendLinkingCode } from "../../../web/api/queries/setup.ts";
import { citySpotsQuery, joinLine, spotQuery, takeSpot } from "../../../web/api/queries/spots.ts";
import { cityHoursQuery, offerHoursQuery, weekQuery } from "../../../web/api/queries/statistics.ts";
import { earningsQuery } from "../../../web/api/queries/user.ts";
import { sessionStore } from "../../../web/api/session/session.ts";
import { makeFilters } from "../../engine/fixtures.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";

const REFUSED = {
  status: 500,
  body: { code: "internal", message: { en: "-", es: "-", pt: "-" }, requestId: "1" },
};

let harness: ReturnType<typeof createBrowserHarness>;
beforeEach(() => {
  harness = createBrowserHarness();
  harness.signIn();
  sessionStore.setState(() => undefined);
});
afterEach(() => void vi.unstubAllGlobals());

/** The requests of a call that the server fails, of which the caller hears. */
async function sentBy(operation: string, call: () => Promise<unknown>): Promise<[string, object][]> {
  harness.answer({ [operation]: REFUSED });
  await expect(call()).rejects.toMatchObject({ status: 500 });
  return harness.calls.map((sent) => [sent.operation, sent.body]);
}

const filters = makeFilters();

it.each<[operation: string, call: () => Promise<unknown>, body?: object]>([
  ["DELETE /flex/v1/setup", unlinkPlatform],
  ["DELETE /flex/v1/user", deleteDriverData],
  ["GET /flex/v1/user/export", fetchExport],
  ["DELETE /flex/v1/sessions/a", () => endSession("a")],
  ["DELETE /flex/v1/sessions", endOtherSessions],
  ["POST /flex/v1/user/preferred-phone/code", requestPreferredPhoneCode],
  ["POST /flex/v1/user/preferred-phone/verify", () => verifyPreferredPhone("123456"), { code: "123456" }],
  ["GET /flex/v1/user/im-here/data", fetchArrivalToken],
  ["POST /flex/v1/blocks/a/take-again", () => takeBlockAgain("a")],
  ["POST /flex/v1/calendar", () => makeCalendar({ withPay: true }), { withPay: true }],
  ["GET /flex/v1/calendar/address", fetchCalendarAddress],
  ["PATCH /flex/v1/calendar", () => setCalendarPay(false), { withPay: false }],
  ["PUT /flex/v1/calendar/session", () => resumeCalendar("a"), { feedId: "a" }],
  ["DELETE /flex/v1/calendar", removeCalendar],
  ["POST /flex/v1/feedback", () => sendFeedback({ score: 9 }), { score: 9 }],
  ["PUT /flex/v1/filters", () => putFilters(filters, 7), filters],
  ["POST /flex/v1/user/texts/test", sendTestText],
  ["PATCH /flex/v1/passkeys/a", () => renamePasskey("a", "phone"), { name: "phone" }],
  ["DELETE /flex/v1/passkeys/a", () => removePasskey("a")],
  ["POST /flex/v1/passkeys/undo-recovery", () => undoRecovery(false)],
  ["POST /flex/v1/payments/a/cancel", () => cancelPayment("a")],
  ["DELETE /flex/v1/payments/cards/a", () => removeSavedCard("a")],
  ["PUT /flex/v1/user/recording", () => saveRecordingConsent(false), { consent: false }],
  [
    "POST /flex/v1/rewards/redeem",
    () => redeemReward({ reward: "7days", idempotencyKey: "a" }),
    { reward: "7days", idempotencyKey: "a" },
  ],
  ["POST /flex/v1/pause", () => beginPause(7), { days: 7 }],
  ["DELETE /flex/v1/pause", endPause],
  ["POST /flex/v1/setup/otp/resend", resendLinkingCode],
  ["POST /flex/v1/spot/take", takeSpot],
  ["POST /flex/v1/spot/join", joinLine],
])("%s is one call, whose failure its caller hears of", async (operation, call, body = {}) => {
  expect(await sentBy(operation, call)).toEqual([[operation, body]]);
});

it.each<[path: string, query: unknown]>([
  ["/flex/v1/sessions", sessionsQuery],
  ["/flex/v1/blocks/next", nextBlockQuery(null)],
  ["/flex/v1/blocks/passed-over", passedOverQuery],
  ["/flex/v1/blocks/a/other-offers", otherOffersQuery("a")],
  ["/flex/v1/calendar", calendarQuery],
  ["/flex/v1/checks", checksQuery],
  ["/flex/v1/feedback", feedbackQuery],
  ["/flex/v1/filters", filtersQuery],
  ["/flex/v1/warehouses", warehousesQuery],
  ["/status/inviters/ana%2F1", inviterQuery("ana/1")],
  ["/flex/v1/user/notifications?questions=1", notificationsQuery],
  ["/flex/v1/user/reminders", remindersQuery],
  ["/flex/v1/user/texts", textsQuery],
  ["/flex/v1/passkeys", passkeysQuery],
  ["/flex/v1/plans", plansQuery],
  ["/flex/v1/payments/a", paymentQuery("a")],
  ["/flex/v1/payments/a/receipt", receiptQuery("a")],
  ["/status/platform", platformHealthQuery],
  ["/status/plans", publicPlansQuery],
  ["/flex/v1/user/recording", recordingQuery],
  ["/flex/v1/rewards", rewardsQuery],
  ["/flex/v1/invitations", invitationsQuery],
  ["/status/raffles/a%2F1", raffleQuery("a/1")],
  ["/flex/v1/raffles", rafflesQuery],
  ["/flex/v1/payments/cards", savedCardsQuery],
  ["/flex/v1/payments/renewal", renewalQuery],
  ["/flex/v1/pause", pauseQuery],
  ["/flex/v1/lost-days", lostDaysQuery],
  ["/status/spots", citySpotsQuery],
  ["/flex/v1/spot", spotQuery],
  ["/flex/v1/offer-hours?days=7", offerHoursQuery(7)],
  ["/flex/v1/offer-hours?days=28", offerHoursQuery(28)],
  ["/flex/v1/offer-hours/city", cityHoursQuery],
  ["/flex/v1/week", weekQuery()],
  ["/flex/v1/week?date=2026-06-10", weekQuery("2026-06-10")],
  ["/flex/v1/user/earnings", earningsQuery],
])("a screen reads %s by one call", async (path, query) => {
  const read = () => new QueryClient().fetchQuery({ ...(query as FetchQueryOptions), retry: false });
  expect(await sentBy(`GET ${path}`, read)).toEqual([[`GET ${path}`, {}]]);
});

it("a form asks for a session of saved cards, and the server makes it", async () => {
  const operation = "POST /flex/v1/payments/session";
  const read = () => new QueryClient().fetchQuery(cardSessionQuery);
  expect(await sentBy(operation, read)).toEqual([[operation, {}]]);
});
