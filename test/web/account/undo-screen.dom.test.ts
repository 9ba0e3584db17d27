import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import type { UndoResponse } from "../../../worker/contract/account/undo.ts";
import { UndoScreen } from "../../../web/features/account/undo-screen.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { NOON } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));

const CHANGE: UndoResponse = {
  kind: "phone",
  changedAt: NOON,
  expiresAt: NOON,
  phoneEnd: "0144",
  language: "en",
};
const [READ, UNDO] = ["GET /flex/v1/undo", "POST /flex/v1/undo"];

async function openLink(token: string) {
  const network = scriptNetwork();
  network.answer({ [READ]: { body: CHANGE } });
  const { user, address } = await renderPart(createElement(UndoScreen, { hash: token }), {
    path: `/undo#${token}`,
  });
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  await screen.findByRole("button", { name: "Undo the change" });
  return { ...network, address, press };
}

it("undoes the change once, however often one presses, and says what to do then", async () => {
  const token = "a".repeat(22);
  const { answer, press, address, calls, count } = await openLink(token);
  expect([address(), calls.map(({ operation }) => operation)]).toEqual(["/undo", [READ]]);
  const arrival = Promise.withResolvers<void>();
  answer({ [UNDO]: { body: {}, after: arrival.promise } });
  await press("Undo the change");
  await screen.findByRole("button", { name: "Undoing…" });
  await press("Undoing…");
  arrival.resolve();
  await screen.findByText("The change is undone");
  expect(screen.getByRole("link").getAttribute("href")).toBe("/forgot-password");
  expect([count(UNDO), calls.at(-1)?.headers.get("authorization")]).toEqual([1, `Undo ${token}`]);
});

it("says why the change stands, and lets one try again", async () => {
  const { answer, press } = await openLink("b".repeat(22));
  answer({ [UNDO]: [refusalReply("conflict"), "lost", { body: {} }] });
  const hint = () => screen.queryByRole("alert")?.textContent;
  await press("Undo the change");
  await expect.poll(hint).toContain("Another account uses this number now.");
  await press("Undo the change");
  await expect.poll(hint).toContain("We couldn't reach the server.");
  await press("Undo the change");
  await screen.findByText("The change is undone");
  expect(hint()).toBeUndefined();
});
