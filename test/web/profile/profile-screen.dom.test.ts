import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { recordingQuery } from "../../../web/api/queries/recording.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { ProfileScreen } from "../../../web/features/profile/profile-screen.tsx";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { IDENTITY, refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));

const SAVE = "PUT /flex/v1/user/recording";
/** The paths that the other cards ask. */
const OTHERS = [
  "user",
  "user/texts",
  "user/notifications?questions=1",
  "calendar",
  "passkeys",
  "sessions",
  "security",
  "payments/renewal",
];
const FAILED = "We couldn't save that. Try again.";

it("ends the recording at one tap, and says where the server could not be told", async () => {
  storeSession(localStorage);
  const { answer, calls } = scriptNetwork();
  const unanswered = { body: null, after: Promise.withResolvers<void>().promise };
  answer(Object.fromEntries(OTHERS.map((path) => [`GET /flex/v1/${path}`, unanswered])));
  const { user } = await renderPart(createElement(ProfileScreen), {
    path: "/flex/profile",
    answered: [
      [userQuery.queryKey, RECORD],
      [configQuery.queryKey, { identity: IDENTITY, recording: { scriptUrl: "https://recorder.test/tag" } }],
      [recordingQuery.queryKey, { consent: true }],
    ],
  });
  const card = () => screen.getByRole("switch", { name: "Session recording" });
  const alerts = () => screen.queryAllByRole("alert").map(({ textContent }) => textContent);
  expect([card().getAttribute("aria-checked"), alerts()]).toEqual(["true", []]);
  answer({ [SAVE]: refusalReply("internal") });
  await user.click(card());
  await expect.poll(alerts).toEqual([FAILED]);
  const sent = calls.filter(({ operation }) => operation === SAVE);
  expect(sent.map(({ body }) => body)).toEqual([{ consent: false }]);
});
