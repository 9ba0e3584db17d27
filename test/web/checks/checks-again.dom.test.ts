import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { User } from "../../../worker/contract/account/user.ts";
import type { Check } from "../../../db/shapes/work/checks.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { ChecksScreen } from "../../../web/features/checks/checks-screen.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const CHECKS = "GET /flex/v1/checks";
const GOOD: Check[] = [{ code: "link_good" }, { code: "texts_arrive" }];
const LINKED = "Your account is linked.";

/** The screen once its first check has found nothing wrong. */
async function openChecked(record: Partial<User> = {}, checks: Check[] = GOOD) {
  const network = scriptNetwork();
  network.answer({ [CHECKS]: { body: { checks } } });
  const { user } = await renderPart(createElement(ChecksScreen), {
    answered: [
      [userQuery.queryKey, { ...RECORD, ...record }],
      [configQuery.queryKey, { productName: "Jornada", vapidPublicKey: null }],
    ],
  });
  await screen.findByText(LINKED);
  return { ...network, press: (name: string) => user.click(screen.getByRole("button", { name })) };
}

it("checks once at a press, however often one presses while that is under way", async () => {
  const { answer, press, count } = await openChecked();
  const arrival = Promise.withResolvers<void>();
  answer({
    [CHECKS]: { body: { checks: [{ code: "link_missing" }, ...GOOD.slice(1)] }, after: arrival.promise },
  });
  await press("Check again");
  await screen.findByText("0 of 7 checked");
  await press("Check again");
  expect(screen.queryByText(LINKED)).toBeNull();
  arrival.resolve();
  await screen.findByText("1 thing to look at.");
  expect(count(CHECKS)).toBe(2);
});

it("has a free day that begins with the first switch-on for service, and asks for no payment before it", async () => {
  await openChecked({ trialPending: true }, [...GOOD, { code: "service_over" }, { code: "switched_off" }]);
  screen.getByText("1 free day, starting when you first turn on");
  screen.getByText("1 thing to look at.");
  expect(screen.getAllByRole("link").map(({ textContent }) => textContent)).toEqual(["Go to the switch"]);
});

it("asks a driver without service or a free day for days", async () => {
  await openChecked({}, [...GOOD, { code: "service_over" }]);
  screen.getByText("You have no days of service.");
  screen.getByText("1 thing to look at.");
});

it("says that it couldn't check, and no longer what an earlier check found, until one succeeds", async () => {
  const { answer, press } = await openChecked();
  answer({ [CHECKS]: "lost" });
  await press("Check again");
  expect((await screen.findByRole("alert")).textContent).toContain("We couldn't check");
  expect(screen.queryByText(LINKED)).toBeNull();
  answer({ [CHECKS]: { body: { checks: GOOD } } });
  await press("Try again");
  await screen.findByText(LINKED);
  expect(screen.queryByRole("alert")).toBeNull();
});
