import { expect, it } from "vitest";
import { poolSessions } from "../../../db/schema/identity.ts";
import { parseDevice } from "../../../worker/identity/device.ts";
import { openPoolHarness } from "../harness.ts";

const MOZILLA = "Mozilla/5.0";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const IOS = "(iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";

it.each([
  [`${MOZILLA} (Linux; Android 10; K) ${WEBKIT} Chrome/141.0.0.0 Mobile Safari/537.36`, "Chrome", "Android"],
  [
    `${MOZILLA} (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet",
    "Android",
  ],
  [`${MOZILLA} (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0`, "Firefox", "Android"],
  [`${MOZILLA} ${IOS} Version/18.5 Mobile/15E148 Safari/604.1`, "Safari", "iPhone"],
  [`${MOZILLA} ${IOS} CriOS/141.0.0.0 Mobile/15E148 Safari/604.1`, "Chrome", "iPhone"],
  [`${MOZILLA} ${IOS} FxiOS/143.0 Mobile/15E148 Safari/604.1`, "Firefox", "iPhone"],
  [`${MOZILLA} ${IOS} Mobile/15E148`, null, "iPhone"],
  [
    `${MOZILLA} (iPad; CPU OS 18_5 like Mac OS X) ${WEBKIT} Version/18.5 Mobile/15E148 Safari/604.1`,
    "Safari",
    "iPad",
  ],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
    "Edge",
    "Windows",
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`,
    "Safari",
    "Mac",
  ],
  [`${MOZILLA} (X11; Linux x86_64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0`, "Opera", "Linux"],
  [`${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`, "Chrome", "ChromeOS"],
  ["curl/8.9.1", null, null],
  [null, null, null],
])("reads browser and system of %s", (userAgent, browser, system) => {
  expect(parseDevice(userAgent, "BR")).toEqual({ browser, system, country: "BR" });
});

it.each(["XX", "T1", "br", "", "USA", "aUS", ["BR"], undefined, 7])("knows no country by %s", (country) => {
  expect(parseDevice(null, country).country).toBeNull();
});

it("keeps of a sign-in the names of browser and system, and the country that Cloudflare says", async () => {
  const harness = await openPoolHarness();
  const { phone, password } = await harness.register();
  const start = {
    ClientId: harness.clientId,
    AuthFlow: "USER_PASSWORD_AUTH",
    AuthParameters: { USERNAME: phone, PASSWORD: password },
  };
  const headers = {
    "x-amz-target": "AWSCognitoIdentityProviderService.InitiateAuth",
    "user-agent": `${MOZILLA} ${IOS} Version/18.5 Mobile/15E148 Safari/604.1`,
  };
  const body = JSON.stringify(start);
  const request = new Request(harness.endpoint, { method: "POST", headers, body });
  await harness.pool.handle(Object.defineProperty(request, "cf", { value: { country: "BR" } }));
  expect(await harness.db.select().from(poolSessions)).toMatchObject([
    { browser: "Safari", system: "iPhone", country: "BR" },
  ]);
});
