import { cleanup, screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { RENEWAL_WORDS, renewalPause, type RenewalPause } from "../../../db/shapes/money/renewal.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import type { Renewal } from "../../../worker/contract/money/saved-cards.ts";
import { plansQuery } from "../../../web/api/queries/payments.ts";
import { renewalQuery } from "../../../web/api/queries/saved-cards.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { RenewalState } from "../../../web/features/payments/renewal-status.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));

const ON: Renewal = {
  status: "on",
  pause: null,
  plan: "7days",
  currency: "USD",
  capCents: 6_000,
  card: { type: "card", brand: "visa", last4: "4242" },
  chargeAt: NOON,
};
const OFF: Renewal = { ...ON, status: "off", chargeAt: null };
const CONSENT = { on: true, plan: "7days", capCents: 6_000, words: RENEWAL_WORDS };
const PUT = "PUT /flex/v1/payments/renewal";

/** The screen's renewal, which a server answers with others in turn. */
async function openRenewal(renewal: Renewal, replies: readonly (Renewal | null)[]) {
  storeSession(localStorage);
  const { answer, calls } = scriptNetwork();
  const answers = replies.map((next) => ({ body: { renewal: next } }));
  answer({
    [PUT]: answers.length > 0 ? answers : "lost",
    "GET /flex/v1/user": { body: { Item: RECORD } },
  });
  const toasts = watchToasts();
  const { user, cached, isStale } = await renderPart(createElement(RenewalState, { renewal }), {
    answered: [
      [userQuery.queryKey, RECORD],
      [renewalQuery.queryKey, renewal],
      [plansQuery.queryKey, { plans: [] }],
    ],
  });
  return {
    press: (name: string) => user.click(screen.getByRole("button", { name })),
    toasts,
    sent: () => calls.filter(({ operation }) => operation === PUT).map(({ body }) => body),
    shown: () => ({ renewal: cached(renewalQuery.queryKey), asksForPlans: isStale(plansQuery.queryKey) }),
  };
}

it("is off on the screen once the server has turned it off, and on again by the toast's button", async () => {
  const { press, toasts, sent, shown } = await openRenewal(ON, [OFF, ON]);
  await press("Turn off");
  await expect.poll(toasts).toMatchObject([{ text: "Renewal is off", button: "Undo" }]);
  expect(shown()).toEqual({ renewal: OFF, asksForPlans: true });
  toasts()[0]?.press?.();
  await expect.poll(shown).toEqual({ renewal: ON, asksForPlans: true });
  expect(sent()).toEqual([{ on: false }, CONSENT]);
  expect(toasts()).toHaveLength(1);
});

it.each<[what: string, renewal: Renewal, button: string, saved: Renewal | null]>([
  ["it is turned on", OFF, "Turn on again", ON],
  ["its plan is one of a later release", { ...ON, plan: "other" }, "Turn off", null],
])("says nothing of an undo where %s", async (_what, renewal, button, saved) => {
  const { press, toasts, shown } = await openRenewal(renewal, [saved]);
  await press(button);
  await expect.poll(shown).toEqual({ renewal: saved, asksForPlans: true });
  expect(toasts()).toEqual([]);
});

it("stays as it was on the screen where the server isn't reached, and says so", async () => {
  const { press, toasts, shown } = await openRenewal(ON, []);
  await press("Turn off");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("We couldn't change your renewal");
  expect(shown()).toEqual({ renewal: ON, asksForPlans: false });
  expect(toasts()).toEqual([]);
});

const AGAIN = ["Turn on again", "If you turn it back on, we'll charge at most $60 for 7 days, as before."];

const SERVED = { userDisabled: 0, proxyInstalled: true } as const;

async function textsOf(renewal: Renewal, record: Partial<User> = SERVED): Promise<string[]> {
  scriptNetwork().answer({ "GET /flex/v1/user": { body: { Item: { ...RECORD, ...record } } } });
  storeSession(localStorage);
  const { html } = await renderPart(createElement(RenewalState, { renewal }), {
    answered: [[userQuery.queryKey, { ...RECORD, ...record }]],
  });
  const texts = textsIn(html());
  cleanup();
  return texts;
}

it("says when and what it charges, and offers what can be done about it", async () => {
  const rows: [change: Partial<Renewal>, texts: string[]][] = [
    [{}, ["Renews Wed, Jun 10 for at most $60", "7 days, charged to Visa ending in 4242", "Turn off"]],
    [{ chargeAt: null }, ["Renews for at most $60", "7 days, charged to Visa ending in 4242", "Turn off"]],
    [{ status: "other", chargeAt: null }, ["Reload this page to see your renewal", "Turn off"]],
    [{ plan: "other" }, ["Renews Wed, Jun 10 for at most $60", "Turn off"]],
    [{ status: "off", chargeAt: null }, ["Renewal is off", ...AGAIN]],
    [{ status: "off", plan: "other", chargeAt: null }, ["Renewal is off"]],
  ];
  for (const [change, texts] of rows) expect(await textsOf({ ...ON, ...change })).toEqual(texts);
});

it("says beside its date that nothing is charged while nothing is done for the driver", async () => {
  const waits = "We charge nothing while you're off, not linked or waiting for a spot.";
  const texts = ["Renews Wed, Jun 10 for at most $60", "7 days, charged to Visa ending in 4242"];
  const rows: Partial<User>[] = [
    { ...SERVED, userDisabled: 1 },
    { ...SERVED, proxyInstalled: false },
    { ...SERVED, waitingForSpot: true },
  ];
  for (const record of rows) expect(await textsOf(ON, record)).toEqual([...texts, waits, "Turn off"]);
  expect(await textsOf(OFF, { ...SERVED, userDisabled: 1 })).toEqual(["Renewal is off", ...AGAIN]);
});

it("says why it is paused, and offers more days to a driver who has a spot", async () => {
  const reasons = {
    over_cap: "7 days cost more than the $60 you agreed to, so we didn't charge you.",
    needs_bank: "Your bank wants you to confirm the payment yourself. You weren't charged.",
    declined: "Your bank declined the payment. You weren't charged, and we won't try again.",
    method_gone: "Your card was removed or has expired.",
    plan_gone: "We no longer sell this plan.",
    not_served: "You were off, or your account wasn't linked, until your service ended. You weren't charged.",
    failed: "We couldn't charge your card in time. You weren't charged.",
    card_disputed: "A payment with your card was disputed. Make one payment yourself to renew again.",
    untold: "None of our messages reached you in time, so we didn't charge you.",
    refunded: "Your last renewal was refunded. You won't be charged again.",
  } satisfies Record<RenewalPause, string>;
  for (const pause of renewalPause.options) {
    const renewal = { ...OFF, status: "paused", pause } as const;
    const texts = ["Renewal is paused", reasons[pause]];
    expect(await textsOf(renewal)).toEqual([...texts, "Add days", ...AGAIN]);
    expect(await textsOf(renewal, { waitingForSpot: true })).toEqual([...texts, ...AGAIN]);
  }
});

it.each<[from: string, renewal: Partial<Renewal>, button: string, sent: object]>([
  ["on", {}, "Turn off", { on: false }],
  ["on, of a plan of a later release", { plan: "other" }, "Turn off", { on: false }],
  ["a status of a later release", { status: "other" }, "Turn off", { on: false }],
  ["off", { status: "off" }, "Turn on again", CONSENT],
  ["paused", { status: "paused", pause: "declined" }, "Turn on again", CONSENT],
])("is sent the other way by its button: %s", async (_from, renewal, button, input) => {
  const { press, sent } = await openRenewal({ ...ON, ...renewal }, [OFF]);
  await press(button);
  await expect.poll(sent).toEqual([input]);
});
