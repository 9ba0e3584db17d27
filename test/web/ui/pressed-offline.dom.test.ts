import { onlineManager } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { createElement, type FunctionComponent } from "react";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { linkingStore, setupQuery } from "../../../web/api/queries/setup.ts";
import { recordingQuery } from "../../../web/api/queries/recording.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { ResendLinkingCodeButton } from "../../../web/features/linking/resend-linking-code.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { UnlinkPlatform } from "../../../web/features/profile/platform-account-card.tsx";
import { YourData } from "../../../web/features/profile/your-data.tsx";
import { RecordingQuestion } from "../../../web/features/recording/recording-question.tsx";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

const LINKING = linkingStore.get();
beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));
afterEach(() => {
  onlineManager.setOnline(true);
  linkingStore.setState(() => LINKING);
});

const part = <Props extends object>(Part: FunctionComponent<Props>, props: Props) =>
  createElement(Part, props);

it.each([
  [
    "GET /flex/v1/user/export",
    "Download my data",
    part(YourData, { user: RECORD }),
    "couldn't download your data",
  ],
  [
    "DELETE /flex/v1/setup",
    "Unlink",
    part(UnlinkPlatform, { onDone: () => {} }),
    "couldn't unlink your account",
  ],
  [
    "POST /flex/v1/setup/otp/resend",
    "Send a new code",
    part(ResendLinkingCodeButton, { onSent: () => {} }),
    "An error occurred",
  ],
  ["PUT /flex/v1/user/recording", "Don't allow", part(RecordingQuestion, {}), "couldn't save that"],
] as const)("says at once that %s failed without a connection, and does nothing later", async (...row) => {
  const [operation, button, pressed, failure] = row;
  const network = scriptNetwork();
  network.answer({ [operation]: "lost", "GET /flex/v1/setup": "lost" });
  const { user } = await renderPart(pressed, {
    answered: [
      [configQuery.queryKey, { recording: { scriptUrl: "https://recorder.test/r.js", tag: null } }],
      [recordingQuery.queryKey, { consent: null, phoneNumber: RECORD.phoneNumber }],
      [setupQuery.queryKey, { step: "credentials" }],
      [userQuery.queryKey, RECORD],
    ],
  });
  onlineManager.setOnline(false);
  await user.click(screen.getByText(button));
  expect((await screen.findByRole("alert")).textContent).toContain(failure);
  const tries = network.count(operation);
  onlineManager.setOnline(true);
  await expect.poll(() => network.count(operation)).toBe(tries);
});
