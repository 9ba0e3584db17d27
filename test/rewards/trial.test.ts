import { beforeEach, expect, it } from "vitest";
import { switchOnWithTrial } from "../../db/queries/rewards/trial.ts";
import { DAY_MS, DRIVER, NOW, open, type Checkout } from "../payments/checkout-harness.ts";

let at: Checkout;
beforeEach(() => {
  at = open();
});

const switchOn = (now = NOW) => switchOnWithTrial(at.checkout.db, DRIVER, now);
const set = (change: string) => at.run(`UPDATE users SET ${change} WHERE id = ?`, DRIVER);
const state = () => ({
  credits: at.rows(`SELECT source, duration_ms FROM service_credits WHERE driver_id = ?`, DRIVER),
  ...at.rows(`SELECT switched_on, trial_pending FROM users WHERE id = ?`, DRIVER)[0],
});

const TRIAL = [{ source: `trial:${DRIVER}`, duration_ms: DAY_MS }];

it("begins a trial that a friend gave, once, however often the driver switches on", async () => {
  set(`trial_pending = 1`);
  await Promise.all([switchOn(), switchOn()]);
  await switchOn(NOW + DAY_MS);
  expect(state()).toEqual({ credits: TRIAL, switched_on: 1, trial_pending: 0 });
});

it("begins none where nobody gave one", async () => {
  await switchOn();
  expect(state()).toEqual({ credits: [], switched_on: 1, trial_pending: 0 });
});

it("keeps the trial of a driver who waits for a spot until they have one", async () => {
  set(`trial_pending = 1, waiting_for_spot = 1`);
  await switchOn();
  expect(state()).toEqual({ credits: [], switched_on: 1, trial_pending: 1 });
  set(`waiting_for_spot = 0`);
  await switchOn();
  expect(state()).toEqual({ credits: TRIAL, switched_on: 1, trial_pending: 0 });
});
