import { beforeEach, describe, expect, it } from "vitest";
import { RENEWAL_WORDS } from "../../../db/shapes/money/renewal.ts";
import { loadRenewalState, turnRenewal } from "../../../worker/payments/renewals/renewal-state.ts";
import { settleIntent } from "../../../worker/payments/settle-intent.ts";
import { removeSavedCard } from "../../../worker/payments/saved-cards.ts";
import {
  DAY_MS,
  DRIVER,
  HOUR_MS,
  losePath,
  MINUTE_MS,
  NOW,
  prepareWeek,
  type Checkout,
} from "../checkout-harness.ts";
import { CHARGE_AT, END, NOTICE_AT, openRenewedWeek, renewalsOf } from "../renewals-harness.ts";

let at: Checkout;
beforeEach(async () => {
  at = await openRenewedWeek();
});
const { look, lookAt, comeToCharge, renewal, charged, news, asked, change } = renewalsOf(() => at);

describe("a payment by hand beside a renewal", () => {
  const openForm = async (ago: number) => {
    at.clock.now = CHARGE_AT - ago;
    const id = await prepareWeek(at);
    at.clock.now = CHARGE_AT;
    return id;
  };

  it("that was begun within half an hour delays the next one", async () => {
    await comeToCharge();
    const form = await openForm(30 * MINUTE_MS - 1);
    await look();
    expect(at.payment(form)).toMatchObject({ status: "open" });
    expect(charged()).toEqual([]);
    expect(renewal()).toMatchObject({ status: "on", due_at: CHARGE_AT + 30 * MINUTE_MS, tries: 0 });
  });

  it("that was left is called off first", async () => {
    await comeToCharge();
    const form = await openForm(30 * MINUTE_MS);
    await look();
    expect(at.payment(form)).toMatchObject({ status: "abandoned" });
    expect(at.bank.intents.get("pi_3")?.status).toBe("canceled");
    expect(charged()).toEqual(["settled"]);
  });

  it("that was left without an intent is called off without the bank", async () => {
    await comeToCharge();
    at.clock.now = CHARGE_AT - HOUR_MS;
    at.bank.during("createIntent", losePath());
    await expect(prepareWeek(at)).rejects.toThrow();
    at.clock.now = CHARGE_AT;
    await look();
    expect(charged()).toEqual(["settled"]);
    expect(asked("cancelIntent")).toEqual([]);
  });

  it.each([
    ["the bank has", "processing" as const, "processing"],
    ["was paid in that moment", "succeeded" as const, "settled"],
  ])("that %s is not paid twice", async (_name, status, stored) => {
    await comeToCharge();
    const form = await openForm(HOUR_MS);
    at.bank.during("cancelIntent", () => at.bank.change("pi_3", { status }));
    await look();
    expect(at.payment(form)).toMatchObject({ status: stored });
    expect(charged()).toEqual([]);
  });

  it("that is gone in that moment delays the next one", async () => {
    await comeToCharge();
    await openForm(HOUR_MS);
    at.bank.during("cancelIntent", () => at.run(`DELETE FROM payments WHERE intent_id = 'pi_3'`));
    await look();
    expect(renewal()).toMatchObject({ status: "on", due_at: CHARGE_AT + 30 * MINUTE_MS, tries: 0 });
  });

  it("that is known to be with the bank is not called off", async () => {
    await comeToCharge();
    await openForm(HOUR_MS);
    at.bank.change("pi_3", { status: "processing" });
    await settleIntent(at.checkout, "pi_3");
    await look();
    expect(asked("cancelIntent")).toEqual([]);
    expect(renewal()).toMatchObject({ due_at: CHARGE_AT + 30 * MINUTE_MS });
  });

  it("that goes through while cards are read is the only one", async () => {
    await comeToCharge();
    await openForm(HOUR_MS);
    at.bank.pay("pi_3");
    at.bank.during("listSavedCards", async () => {
      await settleIntent(at.checkout, "pi_3");
    });
    await look();
    expect(charged()).toEqual([]);
    expect(renewal()).toMatchObject({ status: "on", due_at: CHARGE_AT + 30 * MINUTE_MS, tries: 0 });
    await lookAt(CHARGE_AT + 30 * MINUTE_MS);
    expect(renewal()).toMatchObject({ status: "on", due_at: NOTICE_AT + 7 * DAY_MS });
    expect(charged()).toEqual([]);
  });
});

const outcomeOf = (turned: Awaited<ReturnType<typeof turnRenewal>>) => (turned.ok ? "done" : turned.code);

describe("a driver's renewal", () => {
  const state = async () => loadRenewalState(at.checkout, await at.driver());
  const turn = async (input: Parameters<typeof turnRenewal>[2]) =>
    outcomeOf(await turnRenewal(at.checkout, await at.driver(), input));
  const card = { type: "card", brand: "visa", last4: "4242" };
  const on = { on: true, plan: "7days", capCents: 5022, words: RENEWAL_WORDS } as const;

  it("is shown with its card, its cap and its next charge", async () => {
    const shown = {
      status: "on",
      pause: null,
      notice: null,
      plan: "7days",
      currency: "USD",
      capCents: 5022,
      card,
    };
    expect(await state()).toEqual({ ...shown, chargeAt: CHARGE_AT });
    await turn({ on: false });
    expect(await state()).toEqual({ ...shown, status: "off", chargeAt: null });
    change(`renewals SET status = 'paused', pause = 'declined'`);
    expect(await state()).toEqual({ ...shown, status: "paused", pause: "declined", chargeAt: null });
    change(`renewals SET status = 'on'`);
    expect(await state()).toEqual({ ...shown, chargeAt: CHARGE_AT });
    change(`renewals SET plan = '1day'`);
    expect(await state()).toBeNull();
    at.run(`DELETE FROM renewals`);
    expect(await state()).toBeNull();
  });

  it("turned off is off, and on again only for the same plan, cap and words", async () => {
    expect(await turn({ on: false })).toBe("done");
    expect(await turn({ ...on, words: RENEWAL_WORDS - 1 })).toBe("price_changed");
    expect(await turn({ ...on, capCents: 5021 })).toBe("price_changed");
    expect(renewal()).toMatchObject({ status: "off" });
    expect(await turn(on)).toBe("done");
    expect(renewal()).toMatchObject({ status: "on", due_at: NOW });
  });

  it("stays off in the record for a restored database, where it is refused to turn it on", async () => {
    const recorded: boolean[] = [];
    const record = { recordRenewal: async (_id: string, { isOn }: { isOn: boolean }) => recorded.push(isOn) };
    const deps = { ...at.checkout.deps, restoreRecord: () => record as never };
    const turnRecorded = async (input: Parameters<typeof turnRenewal>[2]) =>
      outcomeOf(await turnRenewal({ ...at.checkout, deps }, await at.driver(), input));
    await turnRecorded({ on: false });
    expect(await turnRecorded({ ...on, words: RENEWAL_WORDS - 1 })).toBe("price_changed");
    expect(await turnRecorded({ ...on, capCents: 5021 })).toBe("price_changed");
    expect(recorded).toEqual([false]);
    expect(await turnRecorded(on)).toBe("done");
    expect(recorded).toEqual([false, true]);
  });

  it("turned off and on again before its notice is known to have arrived is charged all the same", async () => {
    /** Each notice arrived that was sent so far. */
    const confirmSent = () => {
      for (const { kind, source } of news())
        if (kind === "renewal_ahead")
          at.run(
            `INSERT OR IGNORE INTO renewal_notices (source, channel, driver_id, at) VALUES (?, 'push', ?, ?)`,
            source,
            DRIVER,
            at.clock.now,
          );
    };
    await lookAt(NOW);
    await lookAt(NOTICE_AT);
    confirmSent();
    at.clock.now = NOTICE_AT + MINUTE_MS;
    await turn({ on: false });
    expect(await turn(on)).toBe("done");
    await look();
    confirmSent();
    await lookAt(NOTICE_AT + 10 * MINUTE_MS);
    await lookAt(CHARGE_AT + MINUTE_MS);
    expect(charged()).toEqual(["settled"]);
  });

  it("turned off and on again is not announced twice once the notice is known to have arrived", async () => {
    await comeToCharge();
    at.clock.now = NOTICE_AT + 10 * MINUTE_MS;
    await look();
    await turn({ on: false });
    await turn(on);
    await look();
    await lookAt(CHARGE_AT);
    expect(news().filter(({ kind }) => kind === "renewal_ahead")).toHaveLength(1);
    expect(charged()).toEqual(["settled"]);
  });

  it("goes by its consent where it is on already", async () => {
    const consents = () => at.rows(`SELECT id, withdrawn_at FROM renewal_consents ORDER BY at, id`);
    const before = consents();
    expect(await turn(on)).toBe("price_changed");
    expect(consents()).toEqual(before);
  });

  it("turned off calls off what is being charged, and nothing by hand", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", losePath());
    await look();
    await turn({ on: false });
    expect(charged()).toEqual(["abandoned"]);
    expect(at.bank.last.status).toBe("canceled");
    await prepareWeek(at);
    await turn({ on: false });
    expect(at.bank.last.status).toBe("open");
  });

  it("turned off by removing its card calls off what is being charged, too", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", losePath());
    await look();
    await removeSavedCard(at.checkout, { driverId: DRIVER, cardId: "pm_1" });
    expect(renewal()).toMatchObject({ status: "off" });
    expect(charged()).toEqual(["abandoned"]);
    expect(at.bank.last.status).toBe("canceled");
    expect(asked("removeSavedCard")).toHaveLength(1);
  });

  it("turned off calls off what never reached the bank", async () => {
    await comeToCharge();
    at.bank.during("createIntent", losePath());
    await look();
    await turn({ on: false });
    expect(charged()).toEqual(["abandoned"]);
    expect(asked("cancelIntent")).toEqual([]);
  });

  it("turned off needs no keys", async () => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", losePath());
    await look();
    expect(outcomeOf(await turnRenewal(at.cardless, await at.driver(), { on: false }))).toBe("done");
    expect(renewal()).toMatchObject({ status: "off" });
    expect(charged()).toEqual(["open"]);
  });

  it.each([
    ["abandoned", {}, "paused"],
    ["paid", { status: "succeeded" as const }, "on"],
    ["with the bank", { status: "processing" as const }, "on"],
  ])("with a charge that is %s when service ends is %3$s", async (_name, there, status) => {
    await comeToCharge();
    at.bank.during("confirmWithoutDriver", losePath());
    await look();
    at.bank.change("pi_3", there);
    await lookAt(END);
    expect(renewal()).toMatchObject({ status });
    if (status === "on") expect(renewal()).toMatchObject({ due_at: END, tries: 0 });
  });
});
