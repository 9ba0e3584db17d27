import type { User } from "../../../worker/contract/account/user.ts";

/** The five steps from the first screen to the first look, in their order. */
export const START_STEPS = ["number", "link", "warehouses", "days", "on"] as const;

export type StartStep = (typeof START_STEPS)[number];

/** The step that each setup screen belongs to. */
const SCREEN_STEPS: Readonly<Record<string, StartStep>> = {
  "/flex/login": "link",
  "/flex/otp": "link",
  "/flex/confirmation": "link",
  "/flex/filters": "warehouses",
  "/flex/payments": "days",
  "/flex/dashboard": "on",
};

/** Where the last step is done. */
export const LAST_SCREEN = "/flex/dashboard";

type Progress = Pick<
  User,
  "proxyInstalled" | "flexEmail" | "setupComplete" | "goodStanding" | "expirationDateTimestamp"
>;

/**
 * The step that a driver is at; null for who links anew, whose filters let nothing through any more or whose service has
 * ended: they started long ago.
 * @param isStarting whether earlier steps were done in this tab: a newcomer may have days that a friend gave
 */
export function startStepOf(
  { proxyInstalled, flexEmail, setupComplete, goodStanding, expirationDateTimestamp: serviceUntil }: Progress,
  { isStarting }: { isStarting: boolean },
): StartStep | null {
  if (!proxyInstalled) return flexEmail ? null : "link";
  if (!setupComplete) return serviceUntil > 0 && !isStarting ? null : "warehouses";
  if (goodStanding) return "on";
  return serviceUntil > 0 ? null : "days";
}

/**
 * The step to show on a screen: the driver's own where the screen belongs to it or to one that is done; null elsewhere.
 * @param isStarting whether the steps before `on` were done in this tab: the record doesn't say if the switch was ever on
 */
export function shownStep(
  pathname: string,
  { step, isStarting }: { step: StartStep | null; isStarting: boolean },
): StartStep | null {
  const screenStep = SCREEN_STEPS[pathname.replace(/(?<=.)\/+$/, "")];
  if (step === null || screenStep === undefined) return null;
  if (step === "on") return isStarting && screenStep === step ? step : null;
  return START_STEPS.indexOf(screenStep) <= START_STEPS.indexOf(step) ? step : null;
}

/** Whether the other tabs lead to screens that can't do anything yet. */
export function isSettingUp(step: StartStep | null): boolean {
  return step !== null && step !== "on";
}
