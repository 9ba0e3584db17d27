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

it("refuses a parameter of another type, a body other than JSON, and operations that it doesn't have", async () => {
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
