import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import type { PasskeysResponse } from "../../../worker/contract/account/passkeys.ts";
import { passkeysQuery } from "../../../web/api/queries/passkeys.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { PasskeyOffer } from "../../../web/features/passkeys/passkey-offer.tsx";
import type { Answered } from "../../support/console-part.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";
import { IDENTITY } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));

const NONE: PasskeysResponse = { passkeys: [], limit: 10, recoveredAt: null, removableFrom: null };
const PASSKEY = { id: "one", name: "Phone", createdAt: 0, lastUsedAt: null, isCurrent: false };

async function offerTo({
  response = NONE as PasskeysResponse | null,
  isPossible = true,
  endpoint = "/identity/",
}) {
  const answered: Answered[] = [
    [configQuery.queryKey, { identity: { ...IDENTITY, endpoint } }],
    [userQuery.queryKey, RECORD],
    [["device-passkeys"], isPossible],
  ];
  if (response) answered.push([passkeysQuery.queryKey, response]);
  const html = await htmlOfPart(createElement(PasskeyOffer), { answered });
  return textsIn(html);
}

it("is made to a driver without a passkey, and not to one who has one or of whom it isn't known yet", async () => {
  expect(await offerTo({})).toEqual([
    "Sign in without a password",
    "A passkey opens your account with your fingerprint, your face or your device's PIN.",
    "Add a passkey",
    "No thanks",
  ]);
  expect(await offerTo({ response: { ...NONE, passkeys: [PASSKEY] } })).toEqual([]);
  expect(await offerTo({ response: null })).toEqual([]);
});
