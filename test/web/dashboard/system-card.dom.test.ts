import { useSelector } from "@tanstack/react-store";
import { act, screen, within } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { snapshot, type Snapshot } from "../../../db/shapes/work/live.ts";
import { dispatchLive, liveStore, resetLive } from "../../../web/api/live/live.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { SystemCard } from "../../../web/features/dashboard/system-card.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { RECORD } from "../../support/driver-record.ts";
import { quietSnapshot } from "../../support/quiet-snapshot.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession, type Reply } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));
afterEach(() => {
  resetLive();
  vi.restoreAllMocks();
});

const PATCH = "PATCH /flex/v1/user";
const DRIVER: User = { ...RECORD, proxyInstalled: true, setupComplete: true };

/** The card over what the driver's object last said. */
function LiveCard() {
  const system = useSelector(liveStore, (live) => live.snapshot);
  return system && createElement(SystemCard, { system, phoneNumber: DRIVER.phoneNumber });
}

/** The driver's object says what is different now. */
function speak(changed: Partial<Snapshot>): void {
  const { snapshot: shown } = liveStore.get();
  if (!shown) throw new Error("the card shows nothing");
  dispatchLive({
    kind: "message",
    message: { kind: "changed", snapshot: { ...shown, ...changed } },
    at: Date.now(),
  });
}

async function openCard(switchedOn: boolean) {
  const network = scriptNetwork();
  const toasts = watchToasts();
  const phase = switchedOn ? { kind: "polling" } : { kind: "off" };
  const shown = z.parse(snapshot, { ...quietSnapshot(Date.now()), switchedOn, phase });
  liveStore.setState((live) => ({ ...live, snapshot: shown, connection: "open", lastMessageAt: Date.now() }));
  const { user, cached, isIdle } = await renderPart(createElement(LiveCard), {
    answered: [
      [userQuery.queryKey, { ...DRIVER, userDisabled: switchedOn ? 0 : 1 }],
      [configQuery.queryKey, { currency: "USD" }],
    ],
  });
  const control = (name: string) => screen.getByRole("switch", { name });
  const mode = (name: string) => screen.getByRole<HTMLInputElement>("radio", { name });
  return {
    ...network,
    toasts,
    user,
    isIdle,
    flip: (name = "Capture blocks") => user.click(control(name)),
    isOn: (name = "Capture blocks") => control(name).getAttribute("aria-checked") === "true",
    choose: (name: string) => user.click(mode(name)),
    chosen: () => screen.getAllByRole<HTMLInputElement>("radio").findIndex(({ checked }) => checked),
    record: () => cached(userQuery.queryKey) as User,
    sent: () => network.calls.filter(({ operation }) => operation === PATCH).map(({ body }) => body),
  };
}

const recordReply = (fields: Partial<User>, after?: Promise<unknown>): Reply => ({
  body: { Item: { ...DRIVER, ...fields } },
  ...(after && { after }),
});

it("turns on at a press, once, and shows it until the answer is there", async () => {
  const { answer, flip, isOn, sent, toasts, record } = await openCard(false);
  const arrival = Promise.withResolvers<void>();
  answer({ [PATCH]: recordReply({ userDisabled: 0 }, arrival.promise) });
  await flip();
  await screen.findByRole("heading", { name: "Turning on…" });
  expect(isOn()).toBe(true);
  await flip();
  arrival.resolve();
  await expect.poll(toasts).toEqual([{ text: "On. We're looking for blocks that fit your filters." }]);
  expect(sent()).toEqual([{ phoneNumber: DRIVER.phoneNumber, userDisabled: 0 }]);
  expect([isOn(), record().userDisabled]).toEqual([true, 0]);
});

it("turns off after it was confirmed, and not where the driver thinks again", async () => {
  const { answer, flip, isOn, sent, toasts, user } = await openCard(true);
  answer({ [PATCH]: recordReply({ userDisabled: 1 }) });
  for (const [name, count] of [
    ["Cancel", 0],
    ["Turn off", 1],
  ] as const) {
    await flip();
    const sheet = within(await screen.findByRole("alertdialog", { name: "Turn off captures?" }));
    expect(isOn()).toBe(true);
    await user.click(sheet.getByRole("button", { name }));
    await expect.poll(() => sent().length).toBe(count);
  }
  await expect.poll(toasts).toEqual([{ text: "Off. We won't capture any blocks." }]);
  expect([isOn(), screen.queryByRole("alertdialog")]).toEqual([false, null]);
});

it("says why it wasn't turned on, until it is: here, or as another device did", async () => {
  const { answer, flip, isOn } = await openCard(false);
  answer({ [PATCH]: ["lost", refusalReply("no_service")] });
  await flip();
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("We couldn't reach the server.");
  await expect.poll(() => isOn()).toBe(false);
  await flip();
  await expect.poll(() => screen.getByRole("alert").textContent).toContain("You have no days of service.");
  // The first answer was lost on its way back, or it was turned on elsewhere.
  act(() => speak({ switchedOn: true }));
  await expect.poll(() => [isOn(), screen.queryByRole("alert")]).toEqual([true, null]);
});

it("shows a mode at a press, with Whole Foods beside it, and the one before where it is refused", async () => {
  const { answer, choose, chosen, flip, isOn, sent, toasts } = await openCard(true);
  answer({
    [PATCH]: [recordReply({ mode: "secure" }), recordReply({ mode: "secure", specialMode: "wf" }), "lost"],
  });
  await choose("Secure");
  await expect.poll(chosen).toBe(1);
  await flip("Whole Foods only");
  await expect.poll(() => isOn("Whole Foods only")).toBe(true);
  await choose("Turbo");
  await expect.poll(() => toasts().length).toBe(1);
  expect(toasts()[0]?.text).toContain("We couldn't reach the server.");
  await expect.poll(chosen).toBe(1);
  expect(isOn("Whole Foods only")).toBe(true);
  expect(sent()).toEqual([
    { mode: "secure" },
    { mode: "secure", specialMode: "wf" },
    { mode: "masacre", specialMode: "wf" },
  ]);
});

it("ends in the last of two modes that are pressed in quick succession", async () => {
  const { answer, choose, chosen, sent } = await openCard(true);
  const arrival = Promise.withResolvers<void>();
  answer({ [PATCH]: [recordReply({ mode: "secure" }, arrival.promise), recordReply({ mode: "masacre" })] });
  await choose("Secure");
  await choose("Turbo");
  expect([chosen(), sent()]).toEqual([2, [{ mode: "secure" }]]);
  arrival.resolve();
  await expect.poll(sent).toEqual([{ mode: "secure" }, { mode: "masacre" }]);
  await expect.poll(() => liveStore.get().snapshot?.mode).toBe("masacre");
  expect(chosen()).toBe(2);
});

it.each([
  ["switch", "mode"],
  ["mode", "switch"],
] as const)(
  "shows both presses where the answer to the %s comes after that to the later press of the %s",
  async (first, last) => {
    const { answer, flip, choose, chosen, isOn, isIdle, record, sent } = await openCard(false);
    const press = { switch: () => flip(), mode: () => choose("Secure") };
    const changes = { switch: { userDisabled: 0 }, mode: { mode: "secure" } } as const;
    const before = { userDisabled: 1, mode: "lucrative", ...changes[first], revision: 8 } as const;
    const arrival = Promise.withResolvers<void>();
    answer({
      [PATCH]: [
        recordReply(before, arrival.promise),
        recordReply({ ...before, ...changes[last], revision: 9 }),
      ],
    });
    await press[first]();
    await press[last]();
    await expect.poll(sent).toHaveLength(2);
    await expect.poll(() => record().revision).toBe(9);
    arrival.resolve();
    await expect.poll(isIdle).toBe(true);
    expect([isOn(), chosen(), record().revision]).toEqual([true, 1, 9]);
  },
);

it("stays off where another device turned it off after the press whose answer arrives late", async () => {
  const { answer, flip, isOn, isIdle, record, toasts } = await openCard(false);
  const arrival = Promise.withResolvers<void>();
  answer({ [PATCH]: recordReply({ userDisabled: 0, revision: 9 }, arrival.promise) });
  await flip();
  act(() => speak({ switchedOn: false, revision: 10 }));
  arrival.resolve();
  await expect.poll(isIdle).toBe(true);
  expect([isOn(), record().revision, toasts()]).toEqual([false, 9, []]);
});

it("shows an answer that is newer than what the driver's object said", async () => {
  const { answer, flip, isOn, isIdle } = await openCard(false);
  const arrival = Promise.withResolvers<void>();
  answer({ [PATCH]: recordReply({ userDisabled: 0, revision: 10 }, arrival.promise) });
  await flip();
  act(() => speak({ switchedOn: false, revision: 9 }));
  arrival.resolve();
  await expect.poll(isIdle).toBe(true);
  expect(isOn()).toBe(true);
});
