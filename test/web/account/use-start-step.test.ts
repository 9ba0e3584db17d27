import { createElement } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { User } from "../../../worker/contract/account/user.ts";
import { createStored } from "../../../web/api/cache/storage.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { restoreSession, sessionStore } from "../../../web/api/session/session.ts";
import { storedStart, useStartStep } from "../../../web/features/start/use-start-step.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { RECORD } from "../../support/driver-record.ts";
import { htmlOfPart } from "../../support/page-part.ts";
import { IDENTITY, SUB } from "../../support/scripted-network.ts";

beforeEach(() => {
  createBrowserHarness().signIn();
  restoreSession(IDENTITY, Date.now());
});
afterEach(() => {
  sessionStore.setState(() => undefined);
  vi.unstubAllGlobals();
});

const Shown = () => {
  const shown = useStartStep();
  return shown && `${shown.step}${shown.isDone ? ", done" : ""}`;
};

const stepOn = (path: string, record: Partial<User>) =>
  htmlOfPart(createElement(Shown), { answered: [[userQuery.queryKey, { ...RECORD, ...record }]], path });

const LINKED = { proxyInstalled: true, flexEmail: "ana@example.com" };
const PAID = { ...LINKED, setupComplete: true, goodStanding: true, expirationDateTimestamp: 1 };

it("shows a newcomer's step until the system is on, and that it is", async () => {
  createStored({ area: () => sessionStorage, ...storedStart }).save({ username: SUB });
  expect([
    await stepOn("/flex/login", {}),
    await stepOn("/flex/filters", LINKED),
    await stepOn("/flex/dashboard", PAID),
    await stepOn("/flex/dashboard", { ...PAID, userDisabled: 0 }),
    // Turned on before, and all warehouses taken out since.
    await stepOn("/flex/filters", { ...LINKED, userDisabled: 0 }),
  ]).toEqual(["link", "warehouses", "on", "on, done", "warehouses"]);
});

it("shows who started elsewhere or long ago no step on the dashboard", async () => {
  expect(await stepOn("/flex/dashboard", { ...PAID, userDisabled: 0 })).toBe("");
  createStored({ area: () => sessionStorage, ...storedStart }).save({ username: "another driver" });
  expect(await stepOn("/flex/dashboard", PAID)).toBe("");
});
