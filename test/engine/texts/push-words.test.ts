import { expect, it } from "vitest";
import { questionId } from "../../../db/shapes/work/question.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { driverNewsPush, driverNewsText, paymentNews } from "../../../durable/driver/notify/driver-news.ts";
import { questionPush } from "../../../durable/driver/notify/question-messages.ts";
import { weekPush } from "../../../durable/driver/notify/week-messages.ts";
import { activeState, makeOffer, NOON } from "../fixtures.ts";

const context = {
  language: "en",
  now: NOON,
  timeZone: "America/New_York",
  state: activeState(),
  productName: "Jornada",
  publicUrl: "https://jornada.test",
} as const;

/** Intl puts narrow spaces into times and amounts. */
const plain = (text: string) => text.replace(/[\u00A0\u202F]/g, " ");

it("a question names the offer and the seconds that are left, and the news of one replaces no other's", () => {
  const question = {
    questionId: questionId.parse("0123456789abc-q0"),
    offer: makeOffer("a"),
    place: null,
    filtersVersion: 1,
    askedAt: NOON,
    closesAt: NOON + 90_000,
    state: "open",
  } as never;
  const { body, tag } = questionPush({ kind: "asked", question }, context).data;
  expect(plain(body)).toMatch(/\$90.*90/);
  expect([body, tag]).toEqual([expect.stringContaining("Bethpage"), "question:0123456789abc-q0"]);
});

it("a first week is told as one, and a later one beside the week before", () => {
  const worked = { blocks: 4, minutes: 900, payCents: 41_250 };
  const figures = { captured: { blocks: 5, payCents: 48_000 }, worked };
  const bodies = [0, 30_000].map(
    (beforeCents) =>
      weekPush(
        { kind: "week", monday: "2026-06-08", figures, beforeCents, currency: "USD", best: null },
        context,
      ).body,
  );
  expect(bodies.map((body) => body.includes("$412.50"))).toEqual([true, true]);
  expect(bodies.map((body) => [body.includes("$300"), body.includes("$0")])).toEqual([
    [false, false],
    [true, false],
  ]);
});

it("news of a raffle and of a spot stand beside each other", () => {
  const news = { kind: "spot_opened", subject: "Maspeth, NY", until: NOON } as const;
  const won = { kind: "raffle_won", subject: "december", until: null } as const;
  expect([news, won].map((each) => driverNewsPush(each, context).tag)).toEqual(["spot", "raffle:december"]);
  expect(driverNewsText(won, context)).toContain("https://jornada.test/raffle/december");
});

it("a charge ahead is told with its amount and its hour", () => {
  const money = { cents: 5_022, currency: "USD" };
  const chargeAt = NOON + 3 * HOUR_MS;
  const change = { kind: "renewal_ahead", money, changedMs: 7 * 24 * HOUR_MS, chargeAt } as const;
  const text = plain(paymentNews(change, context));
  expect([text.includes("$50.22"), text.includes("3:00 PM")]).toEqual([true, true]);
});
