import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { setupQuery } from "../../../web/api/queries/setup.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { UnlinkPlatform } from "../../../web/features/profile/platform-account-card.tsx";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

async function openQuestion() {
  const network = scriptNetwork();
  const toasts = watchToasts();
  const onDone = vi.fn<() => void>();
  const { user, cached, isStale } = await renderPart(createElement(UnlinkPlatform, { onDone }), {
    answered: [
      [warehousesQuery.queryKey, []],
      [setupQuery.queryKey, {}],
      [userQuery.queryKey, RECORD],
    ],
  });
  const state = () => ({
    known: [warehousesQuery, setupQuery].map(({ queryKey }) => cached(queryKey) !== undefined),
    asksForUser: isStale(userQuery.queryKey),
    timesClosed: onDone.mock.calls.length,
    toasts: toasts().map(({ text }) => text),
  });
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  return { ...network, press, state };
}

const UNLINK = "DELETE /flex/v1/setup";
const BEFORE = { known: [true, true], asksForUser: false, timesClosed: 0, toasts: [] };

it("forgets what the platform's account had, says so and closes", async () => {
  const { answer, press, state } = await openQuestion();
  answer({ [UNLINK]: { body: {} } });
  await press("Unlink");
  const after = {
    known: [false, false],
    asksForUser: true,
    timesClosed: 1,
    toasts: ["Delivery account unlinked"],
  };
  await expect.poll(state).toEqual(after);
});

it("stays open and says so where the server isn't reached, and can be tried again", async () => {
  const { answer, count, press, state } = await openQuestion();
  answer({ [UNLINK]: ["lost", { body: {} }] });
  await press("Unlink");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("We couldn't unlink your account");
  expect(state()).toEqual(BEFORE);
  await press("Unlink");
  await expect.poll(state).toMatchObject({ timesClosed: 1 });
  expect(count(UNLINK)).toBe(2);
});

it("changes nothing where it is canceled", async () => {
  const { calls, press, state } = await openQuestion();
  await press("Cancel");
  expect([state(), calls]).toEqual([{ ...BEFORE, timesClosed: 1 }, []]);
});
