import { expect, it } from "vitest";
import type { Language } from "../../../db/shapes/language.ts";
import { serviceChangeKind, type ServiceChange } from "../../../db/shapes/profile.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import {
  isTexted,
  pushMessageFor,
  textMessageFor,
  type TextNotification,
} from "../../../durable/driver/notify/notification-messages.ts";
import { activeState, at, idOf, makeBlock, makeOffer, makeWarehouse, NOON } from "../fixtures.ts";

/** A driver in Los Angeles; the warehouse is in New York. */
const context = (language: Language, now = NOON) => ({
  language,
  now,
  timeZone: "America/Los_Angeles",
  state: activeState(),
  productName: "Jornada",
  publicUrl: "https://jornada.test",
});

const text = (notification: TextNotification, language: Language, now = NOON) =>
  plain(textMessageFor(notification, context(language, now)));

const captured = (startsAt: number): TextNotification => ({
  kind: "captured",
  block: makeBlock(makeOffer("a", { startsAt, endsAt: startsAt + 3.75 * HOUR_MS })),
  place: null,
});

it("names a block's day only where it isn't today at the warehouse", () => {
  const today = captured(at("2026-06-10T23:30:00-04:00"));
  const tomorrow = captured(at("2026-06-11T00:30:00-04:00"));
  expect([text(today, "en"), text(tomorrow, "en"), text(tomorrow, "es"), text(tomorrow, "pt")]).toEqual([
    "Jornada: block captured! Bethpage (DNY4), 11:30 PM, 3.75 hr, $90. https://jornada.test/flex/dashboard",
    "Jornada: block captured! Bethpage (DNY4), Thu 12:30 AM, 3.75 hr, $90. https://jornada.test/flex/dashboard",
    "Jornada: ¡bloque capturado! Bethpage (DNY4), jue 12:30 a.m., 3.75 h, $90. https://jornada.test/flex/dashboard",
    "Jornada: bloco capturado! Bethpage (DNY4), qui., 00:30, 3,75 h, US$ 90. https://jornada.test/flex/dashboard",
  ]);
  expect(plain(pushMessageFor(tomorrow, context("en")).data.body)).toBe(
    "Bethpage (DNY4), Thu 12:30 AM, 3.75 hr, $90",
  );
});

it("says a block's hour at its warehouse also once that is unknown, and else in the driver's own zone, which it names", () => {
  const block = makeBlock(makeOffer("a", { startsAt: at("2026-06-10T15:26:00-04:00") }));
  const unlinked = { ...context("en"), state: activeState({ warehouses: [] }) };
  const place = { name: "Bethpage (DNY4)", timeZone: "America/New_York" };
  const texts = [place, null].map((known) =>
    textMessageFor({ kind: "captured", block, place: known }, unlinked),
  );
  expect(texts.map(plain)).toEqual([
    expect.stringContaining("Bethpage (DNY4), 3:26 PM,"),
    expect.stringContaining(", 12:26 PM PDT,"),
  ]);
});

it("says until when a block can be given back on the clock of its own warehouse, among others", () => {
  const block = makeBlock(makeOffer("a"));
  const elsewhere = { warehouseId: idOf.warehouse("elsewhere"), timeZone: "Asia/Tokyo" };
  const state = activeState({ warehouses: [makeWarehouse(elsewhere), makeWarehouse()] });
  const until = at("2026-06-10T13:15:00-04:00");
  const reminder = { kind: "give_back_ahead", block, reminder: "give_back_60", until, others: 0 } as const;
  const said = (warehouses: typeof state.warehouses) =>
    plain(pushMessageFor(reminder, { ...context("en"), state: { ...state, warehouses } }).data.body);
  expect(said(state.warehouses)).toContain("1:15 PM");
  expect(said([])).toContain("10:15 AM");
});

it("says until when the platform gives no more blocks of a week", () => {
  const full: TextNotification = { kind: "weekly_limit", until: at("2026-06-14T00:00:00-07:00") };
  expect(text(full, "en")).toMatch(/weekly limit.*until.*Sun.* 12:00 AM/);
});

it("is made of all but questions and offers that are told by push", () => {
  const kinds = ["captured", "weekly_limit", "questions_limited", "offers_told"];
  expect(kinds.filter((kind) => isTexted({ kind } as TextNotification))).toEqual([
    "captured",
    "weekly_limit",
  ]);
});

it("names the day on which service ends only where it isn't today for the driver", () => {
  const endsAt = at("2026-06-10T23:30:00-07:00");
  const ending: TextNotification = { kind: "service_ending", endsAt, remainingMs: 14 * HOUR_MS };
  expect([text(ending, "en"), text(ending, "es"), text(ending, "pt")]).toEqual([
    "Jornada: your service lasts until 11:30 PM. Add days before then to keep it without a break: https://jornada.test/flex/payments?again=1",
    "Jornada: tienes servicio hasta las 11:30 p.m. Elige un plan y sigue sin pausa: https://jornada.test/flex/payments?again=1",
    "Jornada: seu plano vale até 23:30. Escolha outro e siga sem pausa: https://jornada.test/flex/payments?again=1",
  ]);
  expect(text(ending, "en", endsAt - 24 * HOUR_MS)).toContain("until Wed 11:30 PM.");
  const money = { cents: 5022, currency: "USD" };
  const change = { source: "payment:a:settled", kind: "paid", money, changedMs: 7 * DAY_MS } as const;
  expect(text({ kind: "service_changed", change, until: endsAt + 30 * 24 * HOUR_MS }, "es")).toBe(
    "Jornada. Recibimos tu pago de $50.22. Servicio hasta el 10 jul, 11:30 p.m. Recibo: https://jornada.test/flex/receipts/a",
  );
});

it("asks for days otherwise in the last hour of the service", () => {
  const ending = (remainingMs: number) =>
    text({ kind: "service_ending", endsAt: NOON + remainingMs, remainingMs }, "en");
  expect(ending(HOUR_MS)).not.toMatch(/^Jornada: your service lasts until/);
  expect(ending(HOUR_MS + 1)).toMatch(/^Jornada: your service lasts until/);
});

it("tells of a renewal with what happened and where it can be changed", () => {
  const money = { cents: 5_022, currency: "USD" };
  const chargeAt = NOON + DAY_MS;
  const textOf = (kind: ServiceChange["kind"], link?: string) =>
    text(
      {
        kind: "service_changed",
        change: { source: "a", kind, money, changedMs: 7 * DAY_MS, chargeAt, ...(link && { link }) },
        until: NOON + DAY_MS,
      },
      "en",
    );
  for (const kind of serviceChangeKind.options.filter((each) => each.startsWith("renewal_"))) {
    const told = textOf(kind);
    expect(told).toMatch(/^Jornada\b.*https:\/\/jornada\.test\/flex\/payments(?:\?again=1)?$/);
    expect(told).not.toMatch(/undefined|[{}]/);
  }
  expect(textOf("renewal_on", "token")).toContain("https://jornada.test/renewal#token");
});

it("asks a driver whose account isn't linked to link it, and not for days that would be of no use", () => {
  const state = activeState({ phase: { kind: "needs_link" } });
  const ending: TextNotification = {
    kind: "service_ending",
    endsAt: at("2026-06-10T23:30:00-07:00"),
    remainingMs: 14 * HOUR_MS,
  };
  const told = (language: Language) => plain(textMessageFor(ending, { ...context(language), state }));
  expect([told("en"), told("es"), told("pt")]).toEqual([
    "Jornada: your service lasts until 11:30 PM, but your platform account isn't linked. Link it: https://jornada.test/flex/login",
    "Jornada: tienes servicio hasta las 11:30 p.m. pero la plataforma pide vincular tu cuenta de nuevo: https://jornada.test/flex/login",
    "Jornada: seu plano vale até 23:30, mas sua conta da plataforma precisa ser vinculada de novo: https://jornada.test/flex/login",
  ]);
  const { body, url } = pushMessageFor(ending, { ...context("en"), state }).data;
  expect([plain(body), url]).toEqual([
    "You have service until 11:30 PM, but your platform account isn't linked. Link it so we can capture blocks.",
    "/flex/login",
  ]);
});

it("says the amount and the service time that a payment's event changed", () => {
  const money = { cents: 1, currency: "USD" };
  const changed = (change: Omit<ServiceChange, "source">, language: Language) =>
    text({ kind: "service_changed", change: { source: "payment:a:re_1", ...change }, until: null }, language);
  expect(changed({ kind: "refunded", money, changedMs: -120_000 }, "en")).toBe(
    "Jornada. $0.01 was refunded. Service taken back: 2 minutes. You have no days of service left. https://jornada.test/flex/payments",
  );
  expect(changed({ kind: "refunded", money, changedMs: 0 }, "pt")).toContain(
    "US$ 0,01 foram reembolsados. Nenhum dia foi retirado.",
  );
  expect(changed({ kind: "disputed", money, changedMs: -2.5 * DAY_MS }, "es")).toContain(
    "Tu banco revirtió $0.01. Servicio retirado: 2.5 días.",
  );
  expect(
    changed({ kind: "paid", money: { cents: 0, currency: "USD" }, changedMs: 7 * DAY_MS }, "en"),
  ).toContain("Your days of service are here.");
  // As rows of an earlier release are delivered.
  expect(changed({ kind: "refunded", money: null, changedMs: null }, "en")).toContain(
    "Jornada. A payment was refunded.",
  );
});

it("fits a payment with the link to its receipt into one text", () => {
  const money = { cents: 17_118, currency: "USD" };
  const source = "payment:6f0c6f6e-5f0e-4c0c-9d56-0123456789ab:settled";
  const change = { source, kind: "paid", money, changedMs: 30 * DAY_MS } as const;
  const paid = text({ kind: "service_changed", change, until: NOON + 30 * DAY_MS }, "en");
  expect(paid).toContain("https://jornada.test/flex/receipts/6f0c6f6e-5f0e-4c0c-9d56-0123456789ab");
  expect(paid.length).toBeLessThanOrEqual(160);
  const push = pushMessageFor({ kind: "service_changed", change, until: NOON + DAY_MS }, context("en"));
  expect(push.data.url).toBe("/flex/receipts/6f0c6f6e-5f0e-4c0c-9d56-0123456789ab");
});

it("has a title for every change of the service, and one for all pauses of a renewal", () => {
  const titleOf = (kind: ServiceChange["kind"]) => {
    const change = {
      source: "a",
      kind,
      money: { cents: 5_022, currency: "USD" },
      changedMs: DAY_MS,
    } as const;
    return pushMessageFor({ kind: "service_changed", change, until: NOON + DAY_MS }, context("en")).data
      .title;
  };
  const titles = Map.groupBy(serviceChangeKind.options, titleOf);
  expect([...titles.keys()].filter((title) => !/\w{3}/.test(title) || title.includes("push_"))).toEqual([]);
  expect(titles.get(titleOf("renewal_refunded"))).toEqual([
    "renewal_over_cap",
    "renewal_needs_bank",
    "renewal_declined",
    "renewal_method_gone",
    "renewal_plan_gone",
    "renewal_not_served",
    "renewal_failed",
    "renewal_card_disputed",
    "renewal_untold",
    "renewal_refunded",
  ]);
});

it("links a text to the screen that a tap on the push message opens", () => {
  const news = { source: "spot:a", kind: "spot_opened", subject: "Maspeth, NY", until: NOON } as const;
  const linking: TextNotification[] = [
    { kind: "needs_link" },
    { kind: "verification_required" },
    { kind: "no_service", waitingForSpot: true },
    { kind: "no_service", waitingForSpot: false },
    { kind: "news", news },
    { kind: "news", news: { ...news, kind: "raffle_won", subject: "december" } },
    {
      kind: "service_changed",
      change: { source: "a", kind: "refunded", money: null, changedMs: null },
      until: null,
    },
  ];
  for (const notification of linking) {
    const { url } = pushMessageFor(notification, context("en")).data;
    expect(text(notification, "en")).toMatch(new RegExp(`https://jornada.test${url.replace("?", "\\?")}$`));
  }
  expect(text({ kind: "needs_link" }, "en")).toContain("https://jornada.test/flex/login");
});

it("replaces on the driver's screen what a newer message makes old, and nothing else", () => {
  const offer = makeOffer("a");
  const block = makeBlock(offer);
  const until = NOON + HOUR_MS;
  const pushes: TextNotification[] = [
    { kind: "captured", block, place: null },
    { kind: "probably_captured", offer, place: null },
    { kind: "unreadable" },
    { kind: "needs_link" },
    { kind: "verification_required" },
    { kind: "no_service", waitingForSpot: true },
    { kind: "no_service", waitingForSpot: false },
    { kind: "service_ending", endsAt: until, remainingMs: HOUR_MS },
    { kind: "silence_suspected" },
    { kind: "weekly_limit", until },
    { kind: "long_wait", until },
  ];
  const shown = pushes.map((push) => pushMessageFor(push, context("en")).data);
  expect(shown.map(({ title, url, tag }) => [title, url, tag])).toEqual([
    ["Block captured!", "/flex/blocks", "captured:a"],
    ["Probably your block", "/flex/blocks", "captured:a"],
    ["We don't understand the platform yet", "/flex/dashboard", "work"],
    ["Link your account again", "/flex/login", "work"],
    ["The platform wants to verify you", "/flex/dashboard", "work"],
    ["Your city is full", "/flex/dashboard", "service"],
    ["Your service has ended", "/flex/payments?again=1", "service"],
    ["Your service ends soon", "/flex/payments?again=1", "service"],
    ["No new offers for a long time", "/flex/dashboard", "silence"],
    ["You reached your weekly limit", "/flex/dashboard", "silence"],
    ["The platform asked us to wait", "/flex/dashboard", "work"],
  ]);
});

/** Intl puts narrow spaces into times and amounts, which no expectation should hide. */
function plain(text: string): string {
  return text.replace(/[\u00A0\u202F]/g, " ");
}
