import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { errorReply, SUB, token, type Reply } from "../../support/scripted-network.ts";

const LIBRARY = "@simplewebauthn/browser";

let harness: ReturnType<typeof createBrowserHarness>;
beforeEach(() => {
  vi.resetModules();
  harness = createBrowserHarness();
});
afterEach(() => {
  vi.doUnmock(LIBRARY);
  vi.resetModules();
  vi.unstubAllGlobals();
});

/** The page's passkeys, with a browser in which the driver chooses one. */
async function passkeys(
  library: () => object = () => ({ startAuthentication: async () => ({ id: "key" }) }),
) {
  vi.doMock(LIBRARY, library);
  return import("../../../web/api/session/passkey.ts");
}

function tokensOf(subject: string) {
  const [header, , signature] = token("id").split(".");
  const claims = btoa(JSON.stringify({ sub: subject, token_use: "id", exp: 4_000_000_000, jti: "new" }));
  return {
    IdToken: [header, claims.replaceAll("=", ""), signature].join("."),
    AccessToken: token("access"),
    RefreshToken: "second",
  };
}

/** The pool opens this account for the passkey. */
function answerWith(subject: string) {
  const tokens = tokensOf(subject);
  const challenge = { Session: "session", ChallengeParameters: { WEBAUTHN_OPTIONS: "{}" } };
  harness.answer({
    InitiateAuth: { body: challenge },
    RespondToAuthChallenge: { body: { AuthenticationResult: tokens } },
    RevokeToken: { body: {} },
  });
  return tokens;
}

const stored = () => Object.entries(harness.storage).find(([key]) => key.endsWith(".idToken"))?.[1];
const revoked = () => harness.calls.flatMap(({ body }) => body["Token"] ?? []);

it("takes the new session of the same driver, and ends the one before", async () => {
  harness.signIn();
  const { IdToken } = answerWith(SUB);
  await (await passkeys()).signInAgainWithPasskey();
  expect([stored(), revoked()]).toEqual([IdToken, ["refresh"]]);
});

it("leaves another driver's account closed, and the session as it was", async () => {
  const idToken = token("id");
  harness.signIn({ idToken });
  answerWith("6a0c43de-0a9b-4f0e-8d6b-3f1f7a4b9c11");
  await expect((await passkeys()).signInAgainWithPasskey()).rejects.toMatchObject({
    code: "PasskeyOfAnother",
  });
  expect([stored(), revoked()]).toEqual([idToken, ["second"]]);
});

it("calls it a network error where its library can't be loaded", async () => {
  answerWith(SUB);
  const { signInWithPasskey } = await passkeys(() => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  await expect(signInWithPasskey()).rejects.toMatchObject({ code: "NetworkError" });
  expect(harness.calls).toEqual([]);
});

it.each<[string, Reply]>([
  ["is lost", "lost"],
  ["is cut", "cut"],
  ["is a failure of the pool", { status: 500, body: { __type: "InternalErrorException" } }],
])(
  "calls it a network error where the answer %s and the challenge is used up by that",
  async (_how, reply) => {
    answerWith(SUB);
    const used = "Invalid session for the user, session can only be used once.";
    harness.answer({ RespondToAuthChallenge: [reply, errorReply("NotAuthorizedException", used)] });
    const { signInWithPasskey } = await passkeys();
    await expect(signInWithPasskey()).rejects.toMatchObject({ code: "NetworkError" });
    expect(harness.count("RespondToAuthChallenge")).toBe(2);
  },
);

it.each([
  ["The passkey was removed after the password was reset.", true],
  ["Incorrect username or password.", false],
])(
  "knows a removed passkey, which can undo a recovery, by the pool's refusal: %s",
  async (message, isRemoved) => {
    answerWith(SUB);
    harness.answer({ RespondToAuthChallenge: errorReply("NotAuthorizedException", message) });
    const { signInWithPasskey, isRemovedPasskey } = await passkeys();
    const error = await signInWithPasskey().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "NotAuthorizedException", message });
    expect([isRemovedPasskey(error), isRemovedPasskey(new Error(message)), stored()]).toEqual([
      isRemoved,
      false,
      undefined,
    ]);
  },
);

it.each([
  ["NotAllowedError", "PasskeyCanceled"],
  ["AbortError", "PasskeyCanceled"],
  ["InvalidStateError", "PasskeyKnown"],
])("takes the browser's %s for %s", async (name, code) => {
  answerWith(SUB);
  const refused = Object.assign(new Error("-"), { name });
  const { createPasskey, signInWithPasskey } = await passkeys(() => ({
    startAuthentication: () => Promise.reject(refused),
    startRegistration: () => Promise.reject(refused),
  }));
  await expect(createPasskey({})).rejects.toMatchObject({ code });
  await expect(signInWithPasskey()).rejects.toMatchObject({ code });
});

it("tells the pool that a sign-in undoes a recovery, only where it does", async () => {
  answerWith(SUB);
  const { signInWithPasskey } = await passkeys();
  await signInWithPasskey();
  await signInWithPasskey({ undoesRecovery: true });
  const sent = harness.calls.filter(({ operation }) => operation === "RespondToAuthChallenge");
  expect(sent.map(({ body }) => body["ClientMetadata"])).toEqual([undefined, { undo_recovery: "true" }]);
});
