import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { setupQuery } from "../../../web/api/queries/setup.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { UnlinkPlatform } from "../../../web/features/profile/platform-account-card.tsx";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { RECORD } from "../../support/driver-record.ts";
import { changesOfPart } from "../../support/page-part.ts";
import { watchToasts } from "../../support/toasts.ts";

let harness: ReturnType<typeof createBrowserHarness>;
beforeAll(() => changeLocale("en"));
beforeEach(() => {
  harness = createBrowserHarness();
  harness.signIn();
});
afterEach(() => void vi.unstubAllGlobals());

async function openQuestion() {
  const toasts = watchToasts();
  const onDone = vi.fn<() => void>();
  const { changes, press, cached, isStale } = await changesOfPart(createElement(UnlinkPlatform, { onDone }), {
    answered: [
      [warehousesQuery.queryKey, []],
      [setupQuery.queryKey, {}],
      [userQuery.queryKey, RECORD],
    ],
  });
  const screen = () => ({
    known: [warehousesQuery, setupQuery].map(({ queryKey }) => cached(queryKey) !== undefined),
    asksForUser: isStale(userQuery.queryKey),
    isClosed: onDone.mock.calls.length > 0,
    toasts: toasts().map(({ text }) => text),
  });
  return { change: () => Promise.resolve(changes[0]?.()), press, screen };
}

const BEFORE = { known: [true, true], asksForUser: false, isClosed: false, toasts: [] };

it("forgets what the platform's account had, says so and closes", async () => {
  harness.answer({ "DELETE /flex/v1/setup": { body: {} } });
  const { press, screen } = await openQuestion();
  press("Unlink");
  const after = {
    known: [false, false],
    asksForUser: true,
    isClosed: true,
    toasts: ["Delivery account unlinked"],
  };
  await expect.poll(screen).toEqual(after);
});

it("changes nothing where it is canceled or doesn't reach the server", async () => {
  harness.answer({ "DELETE /flex/v1/setup": "lost" });
  const { press, change, screen } = await openQuestion();
  await expect(change()).rejects.toMatchObject({ code: "network" });
  expect(screen()).toEqual(BEFORE);
  press("Cancel");
  expect(screen()).toEqual({ ...BEFORE, isClosed: true });
});
