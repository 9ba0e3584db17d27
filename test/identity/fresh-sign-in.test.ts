import { beforeEach, expect, it } from "vitest";
import { newPhone, openPoolHarness, type PoolHarness, type Tokens } from "./harness.ts";

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

const MINUTE_MS = 60_000;

const takeovers: [string, (token: string) => [string, object]][] = [
  [
    "a changed number",
    (AccessToken) => [
      "UpdateUserAttributes",
      { AccessToken, UserAttributes: [{ Name: "phone_number", Value: newPhone() }] },
    ],
  ],
  ["an authenticator", (AccessToken) => ["AssociateSoftwareToken", { AccessToken }]],
  [
    "a texted factor",
    (AccessToken) => ["SetUserMFAPreference", { AccessToken, SMSMfaSettings: { Enabled: true } }],
  ],
  ["the account's deletion", (AccessToken) => ["DeleteUser", { AccessToken }]],
];

async function refresh({ RefreshToken }: Tokens): Promise<string> {
  const start = {
    ClientId: harness.clientId,
    AuthFlow: "REFRESH_TOKEN_AUTH",
    AuthParameters: { REFRESH_TOKEN: RefreshToken },
  };
  const { body } = await harness.call("InitiateAuth", start);
  return String(Object(body["AuthenticationResult"]).AccessToken);
}

it.each(takeovers)(
  "asks for a sign-in within ten minutes before %s, which no refresh replaces",
  async (_what, change) => {
    const account = await harness.register();
    const old = await harness.signIn(account);
    harness.advanceClock(10 * MINUTE_MS + 1000);
    for (const token of [old.AccessToken, await refresh(old)]) {
      const refused = await harness.call(...change(token));
      expect([refused.status, refused.body["__type"]]).toEqual([400, "NotAuthorizedException"]);
    }
    expect((await harness.call("GetUser", { AccessToken: old.AccessToken })).status).toBe(200);
    const { AccessToken } = await harness.signIn(account);
    expect((await harness.call(...change(AccessToken))).status).toBe(200);
  },
);

it("lets no text alone into an account with a texted second factor", async () => {
  const account = await harness.register();
  const { AccessToken } = await harness.signIn(account);
  await harness.call("SetUserMFAPreference", { AccessToken, SMSMfaSettings: { Enabled: true } });
  const AuthParameters = { USERNAME: account.phone };
  const start = { ClientId: harness.clientId, AuthFlow: "CUSTOM_AUTH", AuthParameters };
  const { body } = await harness.call("InitiateAuth", start);
  const answer = { USERNAME: account.phone, ANSWER: harness.codeFor(account.phone) };
  expect(await harness.respond(body, answer)).toMatchObject({ __type: "NotAuthorizedException" });
});
