import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { User } from "../../../worker/contract/account/user.ts";
import { RequestError } from "../../../web/api/client/request-error.ts";
import * as account from "../../../web/api/queries/account.ts";
import * as queries from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { PersonalDetails } from "../../../web/features/profile/personal-details.tsx";
import { m } from "../../../web/messages/messages.js";
import * as forms from "../../../web/ui/form/app-form.tsx";
import { clearErrors } from "../../../web/ui/form/remount-state.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
afterEach(() => void vi.restoreAllMocks());

type Form = ReturnType<typeof forms.useSubmitForm<Record<string, string>>>;

/** The card with its forms, as if they were on a page. */
async function openCard(user: User) {
  const opened: Form[] = [];
  const open = forms.useSubmitForm;
  vi.spyOn(forms, "useSubmitForm").mockImplementation((options) => {
    const form = open(options);
    opened.push(form as unknown as Form);
    return form;
  });
  const clients: QueryClient[] = [];
  const Page = ({ children }: { children?: ReactNode }) => {
    clients.push(useQueryClient());
    return children;
  };
  const html = await htmlOfPart(createElement(Page, null, createElement(PersonalDetails, { user })));
  const cached = () => clients[0]?.getQueryData(queries.userQuery.queryKey);
  return { html, forms: opened, cached };
}

it("saves name and number as they are kept, and shows what was saved", async () => {
  const saved = { ...RECORD, name: "Ana Maria", preferredPhoneNumber: "+12125550144" };
  const patch = vi.spyOn(queries, "patchUser").mockResolvedValue(saved);
  const {
    forms: [form],
    cached,
  } = await openCard(RECORD);
  form?.mount();
  form?.setFieldValue("name", " Ana Maria ");
  form?.setFieldValue("preferredPhoneNumber", "+1 212 555 0144");
  await form?.handleSubmit();
  expect(patch.mock.calls).toEqual([
    [{ updateProfile: true, name: "Ana Maria", preferredPhoneNumber: "+12125550144" }],
  ]);
  expect(cached()).toEqual(saved);
  expect(form?.state.values).toEqual({ name: "Ana Maria", preferredPhoneNumber: "+1 (212) 555-0144" });
});

it("keeps what was typed where it could not be saved", async () => {
  vi.spyOn(queries, "patchUser").mockRejectedValue(new RequestError(0, "network"));
  const {
    forms: [form],
    cached,
  } = await openCard(RECORD);
  form?.mount();
  form?.setFieldValue("name", "Ana Maria");
  await form?.handleSubmit();
  expect([cached(), form?.state.values["name"]]).toEqual([undefined, "Ana Maria"]);
  expect(form?.state.errors).toEqual([
    { title: m.profile_failed(), hint: expect.stringContaining(m.profile_kept()) },
  ]);
});

const NUMBER = { ...RECORD, preferredPhoneNumber: "+12125550144" };

it.each<[what: string, user: User, isAsked: boolean]>([
  ["there is none", RECORD, false],
  ["it is proved", { ...NUMBER, preferredPhoneVerified: true }, false],
  ["an earlier server doesn't say", NUMBER, false],
  ["it isn't proved", { ...NUMBER, preferredPhoneVerified: false }, true],
])("asks to prove the number for texts only where it has to be: %s", async (_what, user, isAsked) => {
  const { html } = await openCard(user);
  expect(textsIn(html).includes(m.profile_phone_send_code())).toBe(isAsked);
});

it("proves the number by its code, and says at the field what is wrong with that", async () => {
  const verified = { ...NUMBER, preferredPhoneVerified: true };
  const verify = vi.spyOn(account, "verifyPreferredPhone");
  const {
    forms: [, form],
    cached,
  } = await openCard({ ...NUMBER, preferredPhoneVerified: false });
  form?.mount();
  form?.setFieldValue("code", "123456");
  const submit = async () => {
    if (form) clearErrors(form);
    await form?.handleSubmit();
  };
  const fieldError = () => form?.getFieldMeta("code")?.errorMap.onDynamic as unknown;
  for (const code of ["code_wrong", "code_expired"] as const) {
    verify.mockRejectedValueOnce(new RequestError(400, code));
    await submit();
    expect([cached(), typeof fieldError(), form?.state.errorMap.onDynamic]).toEqual([
      undefined,
      "string",
      undefined,
    ]);
  }
  verify.mockResolvedValueOnce(verified);
  await submit();
  expect(verify.mock.calls).toEqual([["123456"], ["123456"], ["123456"]]);
  expect(cached()).toEqual(verified);
});
