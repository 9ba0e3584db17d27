import { expect, it } from "vitest";
import { driverNewsKind } from "../../../db/shapes/driver-news.ts";
import { LANGUAGES, type Language } from "../../../db/shapes/language.ts";
import { serviceChangeKind } from "../../../db/shapes/profile.ts";
import { shiftNeed, type ShiftNeed } from "../../../db/shapes/work/checks.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { digestText } from "../../../durable/driver/notify/text-day.ts";
import {
  textMessageFor,
  type TextNotification,
} from "../../../durable/driver/notify/notification-messages.ts";
import { QUESTION_TOKEN_LENGTH, questionId, type Question } from "../../../db/shapes/work/question.ts";
import { segmentsOf, toPlainCharacters } from "../../../durable/texts/segments.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import en from "../../../locales/en.json" with { type: "json" };
import { activeState, at, makeBlock, makeOffer, makeWarehouse } from "../fixtures.ts";

type WeekNotification = Extract<TextNotification, { kind: "week" }>;

const ADDRESS = "https://jornada.example.com";
const SHORT_ADDRESS = "https://jornada.app";
const PRODUCT = "Jornada";
const PAYMENT = "6f0c6f6e-5f0e-4c0c-9d56-0123456789ab";

/** A Wednesday, the Saturday after it, and a day so far off that it has its date. */
const NOW = at("2026-06-10T12:00:00-04:00");
const SATURDAY = at("2026-06-13T22:30:00-04:00");
const LATER = at("2026-09-23T23:30:00-04:00");

const money = { cents: 17_118, currency: "USD" };

const SIGNED_OUT = { phase: { kind: "needs_link" } } as const;

function textOf(
  notification: TextNotification,
  language: Language,
  change: Partial<ReturnType<typeof activeState>> = {},
  publicUrl = ADDRESS,
): string {
  return textMessageFor(notification, {
    language,
    now: NOW,
    timeZone: "America/New_York",
    state: {
      ...activeState(),
      warehouses: [makeWarehouse({ name: "Whole Foods Market Manhattan West" })],
      ...change,
    },
    productName: PRODUCT,
    publicUrl,
  });
}

function captured(startsAt: number): TextNotification {
  const offer = makeOffer("a", { startsAt, endsAt: startsAt + 3.75 * HOUR_MS, payCents: 12_850 });
  return { kind: "captured", block: makeBlock(offer), place: null };
}

/** At a place that the driver knows by name, in the night after a Saturday. */
function reminded(others: number): TextNotification {
  const block = makeBlock(makeOffer("r", { startsAt: SATURDAY + 3 * HOUR_MS }));
  return { kind: "give_back_ahead", block, reminder: "give_back_90", until: SATURDAY, others };
}

const BUSY_WEEK = {
  captured: { blocks: 28, payCents: 284_050 },
  worked: { blocks: 26, minutes: 5_070, payCents: 264_050 },
};
const USUAL_WEEK = {
  captured: { blocks: 5, payCents: 48_000 },
  worked: { blocks: 4, minutes: 900, payCents: 41_250 },
};
const EMPTY_WEEK = {
  captured: { blocks: 0, payCents: 0 },
  worked: { blocks: 0, minutes: 0, payCents: 0 },
};

function weekly(
  beforeCents: number,
  { figures = BUSY_WEEK, best = null }: Partial<Pick<WeekNotification, "figures" | "best">> = {},
): WeekNotification {
  return { kind: "week", monday: "2026-06-08", figures, beforeCents, currency: "USD", best };
}

const LOWER: NonNullable<WeekNotification["best"]> = {
  change: { kind: "min_price", warehouseId: makeWarehouse().warehouseId, cents: 8_000 },
  offers: 3,
  payCents: 24_000,
};

/** At a warehouse with a name of a usual length, and an address of one. */
function weeklyText(language: Language, week: WeekNotification): string {
  const warehouses = [makeWarehouse({ name: "Maspeth (DBK1)" })];
  return textOf(week, language, { warehouses }, SHORT_ADDRESS);
}

function beforeShift(need: ShiftNeed, more: number): TextNotification {
  return { kind: "before_shift", startsAt: SATURDAY, timeZone: "America/New_York", need, more };
}

/** The token of its link follows when it is sent. */
function asked(startsAt: number, language: Language): string {
  const offer = makeOffer("q", { startsAt, endsAt: startsAt + 3.75 * HOUR_MS, payCents: 12_850 });
  const question: Question = {
    questionId: questionId.parse("0123456789abc-q0"),
    offer,
    place: null,
    filtersVersion: 1,
    askedAt: NOW,
    closesAt: NOW + 120_000,
    state: { status: "waiting" },
  };
  return `${textOf({ kind: "asked", question }, language)}${"x".repeat(QUESTION_TOKEN_LENGTH)}`;
}

/** Every text, with the longest values that are likely, by its key. */
function textsIn(language: Language): [string, string][] {
  const say = (notification: TextNotification) => textOf(notification, language);
  const format = (key: keyof typeof en, values: Record<string, string | number>) =>
    formatMessage(language, key, { product: PRODUCT, ...values });
  const link = `${ADDRESS}/undo#${"x".repeat(22)}`;
  const changes = serviceChangeKind.options.map((kind): [string, string] => {
    const change = {
      source: `payment:${PAYMENT}:settled`,
      kind,
      money,
      changedMs: 30 * DAY_MS,
      chargeAt: SATURDAY,
      link: "x".repeat(38),
    };
    return [kind, say({ kind: "service_changed", change, until: LATER })];
  });
  const news = driverNewsKind.options.map((kind): [string, string] => {
    const subject = kind === "raffle_won" ? "december-2026" : "New York City";
    return [kind, say({ kind: "news", news: { kind, subject, until: SATURDAY } })];
  });
  const before = shiftNeed.options.map((need): [string, string] => [
    `before_${need}`,
    say(beforeShift(need, 0)),
  ]);
  return [
    ...before,
    ["week", say(weekly(123_456))],
    ["week_first", say(weekly(0))],
    ["week_change", weeklyText(language, weekly(123_456, { figures: USUAL_WEEK, best: LOWER }))],
    ["week_change_short", weeklyText(language, weekly(123_456, { best: LOWER }))],
    ["week_change_long", say(weekly(123_456, { best: LOWER }))],
    ["week_none", weeklyText(language, weekly(0, { figures: EMPTY_WEEK, best: LOWER }))],
    ["week_none_short", say(weekly(0, { figures: EMPTY_WEEK, best: LOWER }))],
    [
      "lost_day",
      say({ kind: "lost_day", date: "2026-09-26", lostMs: 22.9 * HOUR_MS, givenMs: 22.9 * HOUR_MS }),
    ],
    ["before_several", say(beforeShift("link_ended", 2))],
    ["captured", say(captured(SATURDAY))],
    [
      "probably_captured",
      say({
        kind: "probably_captured",
        offer: makeOffer("p", { startsAt: SATURDAY, payCents: 12_850 }),
        place: null,
      }),
    ],
    ["asked", asked(SATURDAY, language)],
    ["unreadable", say({ kind: "unreadable" })],
    ["code", format("text_code", { code: "123456" })],
    ["test", format("text_test", {})],
    ["digest", digestText(123, { language, productName: PRODUCT, publicUrl: ADDRESS })],
    ["reply_stop", format("text_reply_stop", {})],
    ["reply_start", format("text_reply_start", {})],
    ["reply_help", format("text_reply_help", { contact: "support@jornada.example.com" })],
    ["reply_unread", format("text_reply_unread", {})],
    ["needs_link", say({ kind: "needs_link" })],
    ["verification_required", say({ kind: "verification_required" })],
    ["no_service", say({ kind: "no_service", waitingForSpot: false })],
    ["waiting_for_spot", say({ kind: "no_service", waitingForSpot: true })],
    ["service_ends_day", say({ kind: "service_ending", endsAt: SATURDAY, remainingMs: DAY_MS })],
    ["service_ends_hour", say({ kind: "service_ending", endsAt: SATURDAY, remainingMs: HOUR_MS })],
    [
      "service_ends_unlinked",
      textOf({ kind: "service_ending", endsAt: SATURDAY, remainingMs: DAY_MS }, language, SIGNED_OUT),
    ],
    ...changes,
    ...news,
    ["silence_suspected", say({ kind: "silence_suspected" })],
    ["weekly_limit", say({ kind: "weekly_limit", until: SATURDAY })],
    ["give_back", say(reminded(0))],
    ["give_back_others", say(reminded(12))],
    ["long_wait", say({ kind: "long_wait", until: SATURDAY })],
    ["changed_phone", format("text_changed_phone", { link })],
    ["changed_password", format("text_changed_password", { link })],
    ["changed_factors", format("text_changed_factors", { link })],
    ["changed_passkeys", format("text_changed_passkeys", { link })],
    ["push_added", format("text_push_added", { url: `${ADDRESS}/flex/profile` })],
    ["calendar_added", format("text_calendar_added", { url: `${ADDRESS}/flex/profile` })],
    ["unlinked", format("text_unlinked", { url: `${ADDRESS}/flex/profile` })],
    ["texts_off", format("text_texts_off", { url: `${ADDRESS}/flex/profile` })],
    [
      "account_deleted_receipts",
      format("text_account_deleted_receipts", { link: `${ADDRESS}/receipts#${"x".repeat(38)}` }),
    ],
    ["account_deleted", format("text_account_deleted", { link: `${ADDRESS}/contact` })],
    ["guesses", format("text_guesses", {})],
  ].map(([key = "", text = ""]): [string, string] => [key, toPlainCharacters(text)]);
}

/** Sent most often, or to those who asked for one. */
const FREQUENT = new Set(["captured", "code", "test", "digest", "reply_stop", "reply_start", "reply_help"]);

/**
 * English fits one segment of 160. In Spanish and Portuguese most words for days, service and refunds have an accent that
 * GSM lacks, which leaves 70: what is sent often is worded without one, and the rest may take two, since a text without
 * its accents reads as somebody else's.
 */
it.each(LANGUAGES)("every text is as short as its alphabet allows, in %s", (language) => {
  const long = textsIn(language)
    .map(([key, text]) => ({ key, text, ...segmentsOf(text) }))
    .filter(({ key, segments }) => segments > (language === "en" || FREQUENT.has(key) ? 1 : 2));
  expect(long).toEqual([]);
});

/**
 * So many of a language's texts take a second segment. Spanish has no other word for days, which most service changes
 * count; Portuguese has none for a card and for Saturday.
 */
const MOST_LONG = { en: 0, es: 13, pt: 3 } satisfies Record<Language, number>;

it.each(LANGUAGES)(
  "words its texts without the accents that would double their price, where it can, in %s",
  (language) => {
    const long = textsIn(language).filter(([, text]) => segmentsOf(text).segments > 1);
    expect(long.map(([key]) => key).slice(MOST_LONG[language])).toEqual([]);
  },
);

it("has no message for texts that is not measured", () => {
  // Measured with the invitations, and by the kind of the service change.
  const elsewhere = /^text_(invitation.*|service_changed|paid|renewal_paused|renewal_ahead|renewal_on)$/;
  const measured = new Set(textsIn("en").map(([key]) => `text_${key}`));
  const all = Object.keys(en).filter((key) => key.startsWith("text_") && !elsewhere.test(key));
  expect(all.filter((key) => !measured.has(key))).toEqual([]);
});

it.each<[Language, string[]]>([
  [
    "en",
    [
      "Jornada: this week: 5 captured, 4 worked, $412.50, $27.50/hr. Lower Maspeth (DBK1) to $80: up to 3 more, $240.",
      "Jornada: this week: 28 captured, 26 worked, $2,640.50, $31.25/hr. Lower Maspeth (DBK1) to $80: up to 3 more, $240.",
      "Jornada: nothing captured this week. Lower Maspeth (DBK1) to $80: up to 3 more, $240.",
    ],
  ],
  [
    "es",
    [
      "Jornada: esta semana capturaste 5, hiciste 4, $412.50, $27.50/h. Bajar Maspeth (DBK1) a $80: hasta 3 extra, $240.",
      "Jornada: esta semana capturaste 28, hiciste 26, $2,640.50. Bajar Maspeth (DBK1) a $80: hasta 3 extra, $240.",
      "Jornada: nada capturado esta semana. Bajar Maspeth (DBK1) a $80: hasta 3 extra, $240.",
    ],
  ],
  [
    "pt",
    [
      "Jornada: esta semana capturou 5, fez 4, US$ 412,50. Baixar Maspeth (DBK1) para US$ 80: até 3 a mais, US$ 240.",
      "Jornada: esta semana capturou 28, fez 26, US$ 2.640,50. Baixar Maspeth (DBK1) para US$ 80: até 3 a mais, US$ 240.",
      "Jornada: nada capturado nesta semana. Baixar Maspeth (DBK1) para US$ 80: até 3 a mais, US$ 240.",
    ],
  ],
])("names the week's one change where one segment has room for it, in %s", (language, texts) => {
  const weeks = [USUAL_WEEK, BUSY_WEEK, EMPTY_WEEK].map((figures) =>
    toPlainCharacters(weeklyText(language, weekly(123_456, { figures, best: LOWER }))),
  );
  expect(weeks).toEqual(texts.map((text) => `${text} ${SHORT_ADDRESS}/flex/week?try=2026-06-08`));
});

it.each(LANGUAGES)(
  "says the figures alone where the change has no room, and links to it, in %s",
  (language) => {
    const text = textOf(weekly(123_456, { best: LOWER }), language);
    expect(text).toBe(textOf(weekly(123_456), language).replace("week?date=", "week?try="));
  },
);
