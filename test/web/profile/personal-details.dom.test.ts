import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { User } from "../../../worker/contract/account/user.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { useUser } from "../../../web/features/session/use-user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { PersonalDetails } from "../../../web/features/profile/personal-details.tsx";
import { RECORD } from "../../support/driver-record.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const GET = "GET /flex/v1/user";
const PATCH = "PATCH /flex/v1/user";
const CODE = "POST /flex/v1/user/preferred-phone/code";
const VERIFY = "POST /flex/v1/user/preferred-phone/verify";
const NUMBER: User = { ...RECORD, preferredPhoneNumber: "+12125550144" };
const UNPROVED: User = { ...NUMBER, preferredPhoneVerified: false };
const CODE_LABEL = /^Code from the text/u;

/** The card as the profile shows it, of the record in the cache. */
const Card = () => createElement(PersonalDetails, { user: useUser() });

async function openCard(user = RECORD) {
  const network = scriptNetwork();
  network.answer({ [GET]: { body: { Item: user } } });
  const toasts = watchToasts();
  const part = await renderPart(createElement(Card), { answered: [[userQuery.queryKey, user]] });
  const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);
  return {
    ...network,
    ...part,
    toasts,
    field,
    phone: () => field("Preferred phone (optional)"),
    errorAt: (label: string | RegExp) => {
      const ids = field(label).getAttribute("aria-describedby")?.split(" ") ?? [];
      return ids.map((id) => document.querySelector(`[id="${id}"]`)?.textContent ?? "").join(" ");
    },
    press: (name: string) => part.user.click(screen.getByRole("button", { name })),
    sent: (operation: string) =>
      network.calls.filter((call) => call.operation === operation).map(({ body }) => body),
  };
}

it("saves name and number once, as they are kept, and shows what was saved", async () => {
  const { answer, user, field, phone, press, sent, cached, toasts } = await openCard();
  const saved = { ...NUMBER, name: "Ana Maria" };
  const arrival = Promise.withResolvers<void>();
  answer({ [PATCH]: { body: { Item: saved }, after: arrival.promise } });
  await user.clear(field("Name"));
  await user.type(field("Name"), " Ana Maria ");
  await user.type(phone(), "2125550144");
  await press("Save");
  await press("Saving…");
  arrival.resolve();
  await expect.poll(toasts).toEqual([{ text: "Saved" }]);
  const change = { updateProfile: true, name: "Ana Maria", preferredPhoneNumber: "+12125550144" };
  expect(sent(PATCH)).toEqual([change]);
  expect([cached(userQuery.queryKey), field("Name").value, phone().value]).toEqual([
    saved,
    "Ana Maria",
    "+1 (212) 555-0144",
  ]);
  expect(buttonNames()).toEqual([]);
});

it.each([
  [
    "name",
    (user: UserEvent) => user.type(screen.getByLabelText("Name"), " Maria{Enter}"),
    { name: "Ana Maria" },
  ],
  [
    "number",
    (user: UserEvent) => user.type(screen.getByLabelText("Preferred phone (optional)"), "2125550199{Enter}"),
    { preferredPhoneNumber: "+12125550199" },
  ],
])("saves a change of the %s alone, beside what another device has saved since", async (_, type, change) => {
  const { answer, user, sent } = await openCard();
  const elsewhere = { ...NUMBER, name: "Anita" };
  answer({ [GET]: { body: { Item: elsewhere } }, [PATCH]: { body: { Item: { ...elsewhere, ...change } } } });
  await type(user);
  const { name, preferredPhoneNumber } = elsewhere;
  await expect
    .poll(() => sent(PATCH))
    .toEqual([{ updateProfile: true, name, preferredPhoneNumber, ...change }]);
});

it("keeps what was typed where it couldn't be saved, and goes back to what is saved by Undo", async () => {
  const { answer, user, field, press, cached } = await openCard();
  answer({ [PATCH]: "lost" });
  await user.type(field("Name"), " Maria{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("What you typed is still here.");
  expect([cached(userQuery.queryKey), field("Name").value]).toEqual([RECORD, "Ana Maria"]);
  await press("Undo");
  expect([field("Name").value, screen.queryByRole("alert"), buttonNames()]).toEqual(["Ana", null, []]);
});

it("says at the field what the server finds wrong there", async () => {
  const { answer, user, field, phone } = await openCard();
  answer({ [PATCH]: refusalReply("invalid_request", { preferredPhoneNumber: "invalid" }) });
  await user.type(phone(), "2125550144{Enter}");
  await expect.poll(() => phone().getAttribute("aria-invalid")).toBe("true");
  expect([document.activeElement, field("Name").getAttribute("aria-invalid")]).toEqual([phone(), "false"]);
});

it.each([
  ["there is none", RECORD, false],
  ["it is proved", { ...NUMBER, preferredPhoneVerified: true }, false],
  ["an earlier server doesn't say", NUMBER, false],
  ["it isn't proved", UNPROVED, true],
])("asks to prove the number for texts only where it has to be: %s", async (_, user, isAsked) => {
  await openCard(user);
  expect(buttonNames()).toEqual(isAsked ? ["Text me a code"] : []);
});

it("proves the number by a code that sends itself, and asks no more", async () => {
  const { answer, user, press, field, sent, toasts } = await openCard(UNPROVED);
  const verified = { ...NUMBER, preferredPhoneVerified: true };
  answer({ [CODE]: { body: {} }, [VERIFY]: { body: { Item: verified } } });
  await press("Text me a code");
  await screen.findByLabelText(CODE_LABEL);
  expect(document.activeElement).toBe(field(CODE_LABEL));
  await user.paste("123456");
  await expect.poll(buttonNames).toEqual([]);
  expect(sent(VERIFY)).toEqual([{ code: "123456" }]);
  expect(toasts().map(({ text }) => text.replaceAll(/[\s\u2011]/gu, " "))).toEqual([
    expect.stringContaining("Number verified."),
  ]);
});

it.each(["code_wrong", "code_expired"] as const)(
  "says at the code that it is refused (%s), until another is texted or typed",
  async (code) => {
    const { answer, user, press, field, errorAt, cached } = await openCard(UNPROVED);
    answer({ [CODE]: { body: {} }, [VERIFY]: refusalReply(code) });
    await press("Text me a code");
    await user.type(await screen.findByLabelText(CODE_LABEL), "123456{Enter}");
    await expect.poll(() => errorAt(CODE_LABEL)).not.toBe("");
    expect([cached(userQuery.queryKey), document.activeElement]).toEqual([UNPROVED, field(CODE_LABEL)]);
    await press("Text a new code");
    await expect.poll(() => [errorAt(CODE_LABEL), field(CODE_LABEL).value]).toEqual(["", ""]);
  },
);

it("texts one code at a time, and says why none was sent until one is", async () => {
  const { answer, press, count } = await openCard(UNPROVED);
  const arrival = Promise.withResolvers<void>();
  answer({
    [CODE]: [
      { ...(refusalReply("rate_limited") as object), body: null, status: 429, after: arrival.promise },
      { body: {} },
    ],
  });
  await press("Text me a code");
  await press("Text me a code");
  arrival.resolve();
  await screen.findByRole("alert");
  expect(count(CODE)).toBe(1);
  await press("Text me a code");
  await screen.findByLabelText(CODE_LABEL);
  expect(screen.queryByRole("alert")).toBeNull();
});
