import { beforeAll, expect, it } from "vitest";
import { RequestError } from "../../../web/api/client/request-error.ts";
import { arrivalMessage } from "../../../web/features/arrival/arrival-messages.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { NOON } from "../../engine/fixtures.ts";

beforeAll(() => changeLocale("en"));

it.each([
  ["on a page that tries again", true, false, /^We couldn't reach the server\..* We'll keep trying\.$/u],
  [
    "on one that was opened for one try",
    true,
    true,
    /^We couldn't reach the server\.(?!.*We'll keep trying)/u,
  ],
  ["that isn't tried again", false, false, /^We couldn't reach the server\.(?!.*We'll keep trying)/u],
])("says why a check-in failed %s", (_what, willRetry, instant, text) => {
  const error = new RequestError(0, "network");
  const message = arrivalMessage(
    { kind: "failed", error, willRetry },
    { instant, timeZone: "UTC", now: NOON },
  );
  expect(message.text).toMatch(text);
});
