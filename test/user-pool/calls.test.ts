import { beforeEach, describe, expect, it } from "vitest";
import { createKeys } from "../../durable/runtime/keys.ts";
import { createUserPool } from "../../worker/identity/user-pool.ts";
import { poolNameOf } from "../../worker/identity/pool-context.ts";
import { loadOrCreateSigningKeys } from "../../worker/identity/tokens/signing-keys.ts";
import { KEYS, openPool, PASSWORD, PHONE, type Pool } from "./pool-harness.ts";

// Two key pairs are most of a test's time: made once per file.
const first = openPool();
const made = await loadOrCreateSigningKeys(first.context);
const image = first.image();

let at: Pool;
beforeEach(() => {
  at = openPool({}, image);
});

const ISSUER = "https://jornada.test/identity/local_Jornada1";

describe("a document of the pool", () => {
  const get = async (path: string) => {
    const response = await at.pool.handle(new Request(`https://jornada.test${path}`), "r1");
    return { status: response.status, body: JSON.parse(await response.text()) };
  };

  it("has its public keys, those of id tokens alone on request", async () => {
    const jwks = await at.pool.publicKeys();
    expect(new Set(jwks.keys.map(({ kid }) => kid))).toEqual(new Set([made.id.kid, made.access.kid]));
    expect(await get("/identity/local_Jornada1/.well-known/jwks.json")).toEqual({ status: 200, body: jwks });
    expect((await at.pool.idTokenKeys()).keys.map(({ kid }) => kid)).toEqual([made.id.kid]);
  });

  it("says where they are", async () => {
    expect(await get("/identity/local_Jornada1/.well-known/openid-configuration")).toEqual({
      status: 200,
      body: {
        issuer: ISSUER,
        jwks_uri: `${ISSUER}/.well-known/jwks.json`,
        response_types_supported: ["token"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      },
    });
    expect(at.pool.issuer).toBe(ISSUER);
  });

  it.each([
    "/identity/local_Other/.well-known/jwks.json",
    "/identity/local_Other/.well-known/openid-configuration",
    "/local_Jornada1/.well-known/jwks.json/more",
    "/local_Jornada1/.well-known/openid-configuration/more",
    "/identity/",
  ])("is at no other address: %s", async (path) => {
    expect(await get(path)).toMatchObject({ status: 404, body: { __type: "NotFoundException" } });
  });
});

describe("a call", () => {
  const signUp = { Username: PHONE, Password: PASSWORD };

  it("is a POST, after a preflight that any page may make", async () => {
    const methods = ["OPTIONS", "DELETE", "PUT"];
    const answers = methods.map((method) => at.pool.handle(new Request(`${ISSUER}/`, { method })));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([204, 405, 405]);
  });

  it("is of an operation that the pool has", async () => {
    for (const operation of ["AdminGetUser", "toString", "null"])
      expect((await at.call(operation, {})).type).toBe("UnknownOperationException");
    const nameless = new Request(`${ISSUER}/`, { method: "POST", body: "{}" });
    expect(await (await at.pool.handle(nameless)).json()).toMatchObject({
      __type: "UnknownOperationException",
    });
  });

  it("is refused where its caller makes too many, and counted by its operation", async () => {
    const counted: string[] = [];
    at = openPool({
      isAllowed: async (_request, operation) => {
        counted.push(operation);
        return operation !== "SignUp";
      },
    });
    expect((await at.call("SignUp", signUp)).type).toBe("TooManyRequestsException");
    expect((await at.call("ForgotPassword", { Username: PHONE })).type).toBe("UserNotFoundException");
    expect((await at.call("", {})).type).toBe("UnknownOperationException");
    expect(counted).toEqual(["SignUp", "ForgotPassword"]);
    expect(at.texts).toEqual([]);
  });

  it("that breaks tells its caller nothing, and the log its place", async () => {
    at = openPool({
      randomBytes: () => {
        throw new TypeError(`no entropy for ${PHONE}`);
      },
    });
    expect((await at.call("SignUp", signUp)).answer).toEqual({
      __type: "InternalErrorException",
      message: "Something went wrong.",
    });
    expect(at.log.mock.calls).toEqual([
      [
        "error",
        "identity.call.failed",
        expect.objectContaining({ operation: "SignUp", requestId: expect.any(String), error: "TypeError" }),
      ],
    ]);
    expect(JSON.stringify(at.log.mock.calls)).not.toContain("entropy");
  });

  it("is for the pool's client, which has no secret", async () => {
    const parameters = { USERNAME: PHONE, SECRET_HASH: "Zm9yZ2Vk" };
    const calls: [string, object][] = [
      ["SignUp", { ...signUp, SecretHash: "Zm9yZ2Vk" }],
      ["InitiateAuth", { AuthFlow: "CUSTOM_AUTH", AuthParameters: parameters }],
      ["RespondToAuthChallenge", { ChallengeName: "SMS_MFA", ChallengeResponses: parameters }],
    ];
    for (const [operation, body] of calls) {
      expect((await at.call(operation, body)).answer["message"]).toBe(
        "Unable to verify secret hash for client jornadaweb",
      );
      expect((await at.call(operation, { ...body, ClientId: "another" })).type).toBe(
        "ResourceNotFoundException",
      );
    }
  });

  it.each([
    ["ADMIN_NO_SRP_AUTH", "Initiate Auth method not supported."],
    ["ADMIN_USER_PASSWORD_AUTH", "Initiate Auth method not supported."],
    ["USER_AUTH", "USER_AUTH is not enabled for the client."],
  ])("can't begin with %s", async (AuthFlow, message) => {
    expect((await at.call("InitiateAuth", { AuthFlow })).answer["message"]).toBe(message);
  });
});

describe("the pool", () => {
  it("has an id that clients take, whose name stands in every verifier", () => {
    const longest = `${"a".repeat(53)}_1`;
    expect(["local_Jornada1", "a_b_1", longest].map(poolNameOf)).toEqual(["Jornada1", "b_1", "1"]);
    for (const poolId of ["", "local", "local_", "local_a-b", "!local_a", "local_a!", `a${longest}`])
      expect(() => poolNameOf(poolId)).toThrow("malformed pool id");
  });

  it("seals all of its secrets anew under the current master key", async () => {
    await at.register();
    const newKeys = `new:${"B".repeat(43)}=`;
    const pool = createUserPool({ ...at.deps, keys: createKeys(`${newKeys},${KEYS}`) });
    expect(await pool.resealSecrets({ lostIds: [], limit: 5 })).toBe(1);
    expect(await pool.resealSecrets({ lostIds: [], limit: 5 })).toBe(0);
    const sealed = at.rows(
      `SELECT password AS text FROM pool_users UNION ALL SELECT private_key FROM pool_signing_keys`,
    );
    expect(sealed.map(({ text }) => String(text).split(".")[1])).toEqual(["new", "new", "new"]);
  });

  it("makes its next signing keys where it is time", async () => {
    expect(await at.pool.maintainSigningKeys()).toEqual({ made: 0, deleted: 0 });
  });
});
