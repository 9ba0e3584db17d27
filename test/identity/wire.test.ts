import { beforeEach, expect, it } from "vitest";
import { openPoolHarness, newPhone, PASSWORD, type PoolHarness } from "./harness.ts";

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

/** The error in a response: its body and its headers must agree. */
async function errorIn(response: Response): Promise<{ status: number; type: string; message: string }> {
  const { __type: type, message } = Object(
    JSON.parse(new TextDecoder().decode(await response.arrayBuffer())),
  );
  expect(response.headers.get("x-amzn-errortype")).toBe(`${type}:`);
  expect(response.headers.get("x-amzn-errormessage")).toBe(message);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("access-control-expose-headers")).toContain("x-amzn-ErrorType");
  return { status: response.status, type, message };
}

function post(target: string | null, body: string): Promise<Response> {
  const headers: Record<string, string> = target === null ? {} : { "x-amz-target": target };
  return harness.pool.handle(new Request(harness.endpoint, { method: "POST", headers, body }));
}

const call = (operation: string, body: string) =>
  post(`AWSCognitoIdentityProviderService.${operation}`, body);

it("puts the type of every error in the body and in a header", async () => {
  const get = (path: string, method = "GET") =>
    harness.pool.handle(new Request(`https://jornada.test${path}`, { method }));
  const errors = {
    unknownCall: await errorIn(await call("ListUsers", "{}")),
    inherited: await errorIn(await call("toString", "{}")),
    noTarget: await errorIn(await post(null, "{}")),
    badJson: await errorIn(await call("SignUp", "{")),
    noObject: await errorIn(await call("SignUp", "[]")),
    wrongType: await errorIn(await call("SignUp", '{"ClientId":1,"Username":"a","Password":"b"}')),
    tooLarge: await errorIn(await call("SignUp", `{"a":"${"a".repeat(65_536)}"}`)),
    notFound: await errorIn(await get("/identity/elsewhere")),
    otherPool: await errorIn(await get("/identity/local_Other1/.well-known/jwks.json")),
    wrongMethod: await errorIn(await get("/identity", "DELETE")),
  };
  expect(
    Object.entries(errors).map(([cause, { status, type, message }]) => [cause, status, type, message]),
  ).toEqual([
    ["unknownCall", 400, "UnknownOperationException", "Unknown operation."],
    ["inherited", 400, "UnknownOperationException", "Unknown operation."],
    ["noTarget", 400, "UnknownOperationException", "Unknown operation."],
    ["badJson", 400, "SerializationException", "The request body could not be read."],
    ["noObject", 400, "SerializationException", "The request body could not be read."],
    ["wrongType", 400, "SerializationException", "The request body could not be read."],
    ["tooLarge", 413, "RequestTooLargeException", "The request body is too large."],
    ["notFound", 404, "NotFoundException", "Not found."],
    ["otherPool", 404, "NotFoundException", "Not found."],
    ["wrongMethod", 405, "MethodNotAllowedException", "Operations are called with POST."],
  ]);
});

it("names the methods that it takes where it refuses one", async () => {
  const response = await harness.pool.handle(new Request(harness.endpoint, { method: "DELETE" }));
  expect(response.headers.get("allow")).toBe("POST, GET, OPTIONS");
});

it("hides the cause of an internal error", async () => {
  const logged: unknown[] = [];
  const broken = harness.createSiblingPool({
    log: (...entry) => void logged.push(entry),
    randomBytes: () => {
      throw new Error("no entropy for +15550100123");
    },
  });
  const headers = { "x-amz-target": "AWSCognitoIdentityProviderService.SignUp" };
  const body = { ClientId: harness.clientId, Username: newPhone(), Password: PASSWORD };
  const request = new Request(harness.endpoint, { method: "POST", headers, body: JSON.stringify(body) });
  expect(await errorIn(await broken.handle(request))).toEqual({
    status: 500,
    type: "InternalErrorException",
    message: "Something went wrong.",
  });
  expect(logged).toEqual([
    [
      "error",
      "identity.call.failed",
      {
        operation: "SignUp",
        requestId: expect.any(String),
        error: "Error",
        frames: expect.arrayContaining([expect.stringContaining("signUpOperation")]),
        causes: [],
      },
    ],
  ]);
  expect(JSON.stringify(logged)).not.toContain("entropy");
});

it("stops reading a body at 64 KiB, whatever length it claims", async () => {
  const headers = { "x-amz-target": "AWSCognitoIdentityProviderService.SignUp" };
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1;
      controller.enqueue(new Uint8Array(16_384).fill(32));
    },
  });
  // Node wants to be told that the body comes in parts.
  const inParts = { method: "POST", headers, body: endless, duplex: "half" };
  const streamed = new Request(harness.endpoint, inParts);
  expect(await errorIn(await harness.pool.handle(streamed))).toMatchObject({ status: 413 });
  expect(sent).toBeLessThan(10);
  const claimed = { ...headers, "content-length": "65537" };
  const short = new Request(harness.endpoint, { method: "POST", headers: claimed, body: "{}" });
  expect(await errorIn(await harness.pool.handle(short))).toMatchObject({ status: 413 });
});

it("copies the message of an error into a header without characters that headers can't hold", async () => {
  const UserAttributes = [{ Name: "名前", Value: "Ana" }];
  const body = { ClientId: harness.clientId, Username: newPhone(), Password: PASSWORD, UserAttributes };
  const { headers, body: error } = await harness.call("SignUp", body);
  expect(error["message"]).toContain("{名前}");
  expect(headers.get("x-amzn-errormessage")).toContain("{  }");
});

it("refuses a call over the rate limit without reading its body, and never lets responses be cached", async () => {
  const limited = harness.createSiblingPool({ isAllowed: async (_, operation) => operation !== "SignUp" });
  const request = (operation: string, body: string) =>
    new Request(harness.endpoint, {
      method: "POST",
      headers: { "x-amz-target": `AWSCognitoIdentityProviderService.${operation}` },
      body,
    });
  const refused = request("SignUp", "{");
  expect(await errorIn(await limited.handle(refused))).toEqual({
    status: 400,
    type: "TooManyRequestsException",
    message: "Too many requests",
  });
  expect(refused.bodyUsed).toBe(false);
  const body = JSON.stringify({ ClientId: harness.clientId, Username: newPhone() });
  const allowed = await limited.handle(request("ResendConfirmationCode", body));
  expect([allowed.status, allowed.headers.get("cache-control")]).toEqual([200, "no-store"]);
});

it("names the invalid member of a request", async () => {
  const Username = newPhone();
  const cases: [object, string][] = [
    [
      { Username, Password: PASSWORD },
      "1 validation error detected: Value at 'clientId' failed to satisfy constraint: Member must not be null",
    ],
    [
      { ClientId: harness.clientId, Username, Password: " x " },
      "1 validation error detected: Value at 'password' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\S]+.*[\\S]+",
    ],
    [
      { ClientId: harness.clientId, Username: "", Password: PASSWORD },
      "2 validation errors detected: Value at 'username' failed to satisfy constraint: Member must have length greater than or equal to 1; Value at 'username' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+",
    ],
    [
      { ClientId: harness.clientId, Password: " x " },
      "2 validation errors detected: Value at 'username' failed to satisfy constraint: Member must not be null; Value at 'password' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\S]+.*[\\S]+",
    ],
    [
      {
        ClientId: harness.clientId,
        Username,
        Password: PASSWORD,
        UserAttributes: [{ Name: "a".repeat(33) }],
      },
      "1 validation error detected: Value at 'userAttributes.0.name' failed to satisfy constraint: Member must have length less than or equal to 32",
    ],
    [
      { ClientId: harness.clientId, Username: "1".repeat(129), Password: PASSWORD },
      "1 validation error detected: Value at 'username' failed to satisfy constraint: Member must have length less than or equal to 128",
    ],
  ];
  for (const [body, message] of cases) {
    expect(await errorIn(await call("SignUp", JSON.stringify(body)))).toEqual({
      status: 400,
      type: "InvalidParameterException",
      message,
    });
  }
});

it("names a missing flow and a missing session", async () => {
  const ClientId = harness.clientId;
  expect((await harness.call("InitiateAuth", { ClientId })).body).toEqual({
    __type: "InvalidParameterException",
    message:
      "1 validation error detected: Value at 'authFlow' failed to satisfy constraint: Member must not be null",
  });
  const ChallengeResponses = { USERNAME: newPhone(), SMS_MFA_CODE: "123456" };
  const response = { ClientId, ChallengeName: "SMS_MFA", ChallengeResponses };
  expect((await harness.call("RespondToAuthChallenge", response)).body).toEqual({
    __type: "InvalidParameterException",
    message: "Missing required parameter Session",
  });
});

it("refuses unsupported flows and missing parameters", async () => {
  const start = (AuthFlow: string, AuthParameters: object) =>
    harness.call("InitiateAuth", { ClientId: harness.clientId, AuthFlow, AuthParameters });
  const errorOf = async (AuthFlow: string, AuthParameters: object) =>
    (await start(AuthFlow, AuthParameters)).body;
  const invalid = (message: string) => ({ __type: "InvalidParameterException", message });
  for (const flow of ["ADMIN_USER_PASSWORD_AUTH", "ADMIN_NO_SRP_AUTH"]) {
    expect(await errorOf(flow, {})).toEqual(invalid("Initiate Auth method not supported."));
  }
  expect(await errorOf("USER_AUTH", {})).toEqual(invalid("USER_AUTH is not enabled for the client."));
  expect(await errorOf("USER_SRP_AUTH", {})).toEqual(invalid("Missing required parameter USERNAME"));
  expect(await errorOf("USER_SRP_AUTH", { USERNAME: "a" })).toEqual(
    invalid("Missing required parameter SRP_A"),
  );
  expect(await errorOf("USER_SRP_AUTH", { USERNAME: "a", SRP_A: "0" })).toEqual(
    invalid("SRP_A is not a valid public number."),
  );
  expect(await errorOf("USER_PASSWORD_AUTH", { USERNAME: "a" })).toEqual(
    invalid("Missing required parameter PASSWORD"),
  );
  expect(await errorOf("USER_PASSWORD_AUTH", { USERNAME: "a", PASSWORD: "" })).toEqual(
    invalid("Missing required parameter PASSWORD"),
  );
  expect(await errorOf("USER_PASSWORD_AUTH", { USERNAME: "a", PASSWORD: null })).toEqual(
    invalid("Missing required parameter PASSWORD"),
  );
  expect(await errorOf("REFRESH_TOKEN_AUTH", {})).toEqual(
    invalid("Missing required parameter REFRESH_TOKEN"),
  );
  expect(await errorOf("NO_SUCH_FLOW", {})).toMatchObject({ __type: "InvalidParameterException" });
});

it("repeats a word that no enumeration has, and no value of the caller's", async () => {
  const ClientId = harness.clientId;
  const start = await harness.call("InitiateAuth", { ClientId, AuthFlow: "NO_SUCH_FLOW" });
  expect(start.body["message"]).toMatch(
    /^1 validation error detected: Value 'NO_SUCH_FLOW' at 'authFlow' failed to satisfy constraint: Member must satisfy enum value set: \[USER_SRP_AUTH, /,
  );
  const answer = await harness.call("RespondToAuthChallenge", { ClientId, ChallengeName: "CAPTCHA" });
  expect(answer.body["message"]).toContain("Value 'CAPTCHA' at 'challengeName'");
});

it("refuses a secret hash, since its client has no secret, after an unknown client and before anything else", async () => {
  const { phone } = await harness.register();
  const SECRET_HASH = "Zm9yZ2Vk";
  const named = { Username: phone, SecretHash: SECRET_HASH };
  const claims: [string, object][] = [
    ["SignUp", { ...named, Password: "weak-but-long" }],
    ["ConfirmSignUp", { ...named, ConfirmationCode: "000000" }],
    ["ResendConfirmationCode", named],
    ["ForgotPassword", named],
    ["ConfirmForgotPassword", { ...named, ConfirmationCode: "000000", Password: PASSWORD }],
    ...["USER_PASSWORD_AUTH", "USER_SRP_AUTH", "CUSTOM_AUTH", "REFRESH_TOKEN_AUTH"].map(
      (AuthFlow): [string, object] => ["InitiateAuth", { AuthFlow, AuthParameters: { SECRET_HASH } }],
    ),
    [
      "RespondToAuthChallenge",
      { ChallengeName: "PASSWORD_VERIFIER", ChallengeResponses: { USERNAME: phone, SECRET_HASH } },
    ],
  ];
  const before = harness.texts.length;
  for (const [operation, claim] of claims) {
    expect((await harness.call(operation, { ClientId: harness.clientId, ...claim })).body).toEqual({
      __type: "NotAuthorizedException",
      message: "Unable to verify secret hash for client jornadaweb",
    });
    expect((await harness.call(operation, { ClientId: "other", ...claim })).body).toEqual({
      __type: "ResourceNotFoundException",
      message: "User pool client other does not exist.",
    });
  }
  expect(harness.texts).toHaveLength(before);
});

it("ignores members and parameters that it doesn't know, and a secret hash that is null", async () => {
  const { phone } = await harness.register();
  const AuthParameters = { USERNAME: phone, PASSWORD, SECRET_HASH: null, NO_SUCH_PARAMETER: "x" };
  const { status } = await harness.call("InitiateAuth", {
    ClientId: harness.clientId,
    AuthFlow: "USER_PASSWORD_AUTH",
    AuthParameters,
    UserContextData: { EncodedData: "x" },
    NoSuchMember: [1],
  });
  expect(status).toBe(200);
});

it("refuses a parameter of another type, a body that is no JSON, and operations that it doesn't have", async () => {
  const typed = {
    ClientId: harness.clientId,
    AuthFlow: "USER_PASSWORD_AUTH",
    AuthParameters: { USERNAME: 7 },
  };
  const refusals = [
    await harness.call("InitiateAuth", typed),
    await harness.call("InitiateAuth", { ...typed, AuthParameters: "USERNAME" }),
    await harness.call("GetUser", { AccessToken: { forged: true } }),
    await harness.call("GetUser", "AccessToken=x"),
    await harness.call("GetUser", ""),
    await harness.call("AdminGetUser", {}),
    await harness.call("AdminInitiateAuth", "no JSON"),
  ];
  expect(refusals.map(({ body, status }) => [body["__type"], status])).toEqual([
    ...Array.from({ length: 5 }, () => ["SerializationException", 400]),
    ["UnknownOperationException", 400],
    ["UnknownOperationException", 400],
  ]);
});

it("allows the preflight headers of every client", async () => {
  const response = await harness.pool.handle(new Request(harness.endpoint, { method: "OPTIONS" }));
  expect(response.status).toBe(204);
  const asked =
    "amz-sdk-invocation-id,amz-sdk-request,cache-control,content-type,x-amz-target,x-amz-user-agent,authorization,x-amz-date";
  const allowed = response.headers.get("access-control-allow-headers")?.split(",");
  expect(allowed).toEqual(expect.arrayContaining(asked.split(",")));
  expect(response.headers.get("access-control-allow-methods")).toBe("POST, GET, OPTIONS");
  expect(response.headers.get("access-control-max-age")).toBe("172800");
});

it("starts SRP for an unknown number as for a known one, with the same salt and sub on each call", async () => {
  const start = async (phone: string) => {
    const AuthParameters = { USERNAME: phone, SRP_A: "f".repeat(700) };
    const body = { ClientId: harness.clientId, AuthFlow: "USER_SRP_AUTH", AuthParameters };
    return (await harness.call("InitiateAuth", body)).body;
  };
  const { phone } = await harness.register();
  const unknown = newPhone();
  const [known, first] = [await start(phone), await start(unknown)];
  harness.advanceClock(1000);
  const second = await start(unknown);
  const shape = (response: Record<string, unknown>) =>
    Object.entries(Object(response["ChallengeParameters"])).map(([name, value]) => [
      name,
      name === "SECRET_BLOCK" ? String(value).length : /^[0-9a-f-]+$/.test(String(value)),
    ]);
  expect(shape(first)).toEqual(shape(known));
  const stable = (response: Record<string, unknown>) => {
    const { SALT, USER_ID_FOR_SRP, USERNAME } = Object(response["ChallengeParameters"]);
    return { SALT, USER_ID_FOR_SRP, USERNAME };
  };
  expect(stable(second)).toEqual(stable(first));
  expect(stable(known)).toEqual(stable(await start(phone)));
  expect(known).not.toHaveProperty("Session");
});

it("responds to confirmations and resends for an unknown number as for a known one, except under LEGACY", async () => {
  const body = { ClientId: harness.clientId, Username: newPhone(), ConfirmationCode: "123456" };
  const reset = { ...body, Password: PASSWORD };
  expect((await harness.call("ConfirmSignUp", body)).body).toMatchObject({ __type: "ExpiredCodeException" });
  expect((await harness.call("ConfirmForgotPassword", reset)).body).toMatchObject({
    __type: "CodeMismatchException",
  });
  expect((await harness.call("ResendConfirmationCode", body)).body).toMatchObject({
    CodeDeliveryDetails: { Destination: `+*******${body.Username.slice(-4)}` },
  });
  expect(harness.texts).toEqual([]);
  harness = await openPoolHarness({ settings: { preventUserExistenceErrors: "LEGACY" } });
  for (const operation of ["ConfirmSignUp", "ConfirmForgotPassword", "ResendConfirmationCode"]) {
    expect((await harness.call(operation, reset)).body).toMatchObject({ __type: "UserNotFoundException" });
  }
  expect(await harness.start({ phone: newPhone(), password: PASSWORD })).toEqual({
    __type: "UserNotFoundException",
    message: "User does not exist.",
  });
});

it("hides unknown numbers in ForgotPassword too, if so configured", async () => {
  harness = await openPoolHarness({ settings: { forgotPasswordRevealsUnknown: false } });
  const { status, body } = await harness.call("ForgotPassword", {
    ClientId: harness.clientId,
    Username: newPhone(),
  });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { CodeDeliveryDetails: { DeliveryMedium: "SMS" } },
  });
});

it.each([
  ["SignUp", { Username: "+15550100123", Password: PASSWORD }],
  ["ConfirmSignUp", { Username: "+15550100123", ConfirmationCode: "123456" }],
  ["ResendConfirmationCode", { Username: "+15550100123" }],
  ["ForgotPassword", { Username: "+15550100123" }],
  ["ConfirmForgotPassword", { Username: "+15550100123", ConfirmationCode: "123456", Password: PASSWORD }],
  [
    "InitiateAuth",
    { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: { USERNAME: "+15550100123", PASSWORD } },
  ],
  [
    "RespondToAuthChallenge",
    { ChallengeName: "SMS_MFA", Session: "a".repeat(40), ChallengeResponses: { USERNAME: "+15550100123" } },
  ],
  ["GetTokensFromRefreshToken", { RefreshToken: "token" }],
  ["RevokeToken", { Token: "token" }],
])("refuses %s of a client that is not the pool's", async (operation, input) => {
  const { body } = await harness.call(operation, { ...input, ClientId: "another" });
  expect(body).toMatchObject({ __type: "ResourceNotFoundException" });
});
