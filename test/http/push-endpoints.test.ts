import { expect, it } from "vitest";
import { isPushEndpoint } from "../../durable/messaging/push.ts";

it.each([
  ["https://fcm.googleapis.com/fcm/send/a", true],
  ["https://updates.push.services.mozilla.com./wpush/a", true],
  ["https://WNS2.notify.windows.com/w/?token=a", true],
  ["https://web.push.apple.com/a", true],
  ["https://push.own.test/a", true],
  ["https://own.test.evil.test/a", false],
  ["https://evilfcm.googleapis.com.evil.test/a", false],
  ["https://notfcm.googleapis.com/a", false],
  ["http://fcm.googleapis.com/a", false],
  ["https://fcm.googleapis.com:8443/a", false],
  ["https://user@fcm.googleapis.com/a", false],
  ["https://:secret@fcm.googleapis.com/a", false],
  ["https://fcm.googleapis.com/a#b", false],
  ["fcm.googleapis.com/a", false],
])("a browser's address %s for its messages is taken: %s", (endpoint, expected) => {
  expect(isPushEndpoint(endpoint, ["own.test"])).toBe(expected);
});
