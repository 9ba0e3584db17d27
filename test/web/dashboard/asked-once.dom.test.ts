import { screen } from "@testing-library/react";
import { createElement, type FunctionComponent } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { passkeysQuery } from "../../../web/api/queries/passkeys.ts";
import { recordingQuery } from "../../../web/api/queries/recording.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { PasskeyOffer } from "../../../web/features/passkeys/passkey-offer.tsx";
import { RecordingQuestion } from "../../../web/features/recording/recording-question.tsx";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { IDENTITY, scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  storeSession(localStorage);
  vi.stubGlobal("PublicKeyCredential", {});
});

it.each<[string, string, FunctionComponent]>([
  ["the question about recording", "Don't allow", RecordingQuestion],
  ["the question about recording", "Allow", RecordingQuestion],
  ["the offer of a passkey", "No thanks", PasskeyOffer],
])("hands the focus on to the heading when %s goes at a press on %s", async (_, name, Part) => {
  const { answer } = scriptNetwork();
  answer({ "PUT /flex/v1/user/recording": { body: { consent: true, phoneNumber: RECORD.phoneNumber } } });
  const screenOf = createElement("main", { id: "content" }, createElement("h1"), createElement(Part));
  const { user } = await renderPart(screenOf, {
    answered: [
      [
        configQuery.queryKey,
        { identity: IDENTITY, recording: { scriptUrl: "https://recorder.test/r.js", tag: null } },
      ],
      [userQuery.queryKey, RECORD],
      [recordingQuery.queryKey, { consent: null, phoneNumber: RECORD.phoneNumber }],
      [["device-passkeys"], true],
      [passkeysQuery.queryKey, { passkeys: [], limit: 10, recoveredAt: null, removableFrom: null }],
    ],
  });
  await user.click(await screen.findByRole("button", { name }));
  await expect.poll(() => screen.queryByRole("button", { name })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
});
