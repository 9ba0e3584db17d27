import { describe, expect, it } from "vitest";
import { parseRequest, requests, type OperationName } from "../../worker/identity/protocol/requests.ts";

/** A member as Cognito's API reference describes it: its longest value, and values that it takes and refuses. */
type Member = { longest?: number; shortest?: number; takes: unknown[]; refuses?: string[] };

const NAME: Member = { longest: 128, takes: ["+15550100123", "名前", "é€9."], refuses: [" a", "a ", "a b"] };
const MEMBERS = {
  ClientId: { longest: 128, takes: ["jornadaweb", "a+1_B"], refuses: ["-ab", "ab-", "a b"] },
  Username: NAME,
  Password: { longest: 256, takes: ["ab", "a b", "Jornada-1 demo"], refuses: [" ab", "ab ", "a"] },
  PreviousPassword: { longest: 256, takes: ["ab"], refuses: [" ab", "ab "] },
  ProposedPassword: { longest: 256, takes: ["ab"], refuses: [" ab", "ab "] },
  SecretHash: { longest: 128, takes: ["a+/=", "Zm9yZ2Vk"], refuses: ["-ab", "ab-"] },
  ClientMetadata: { takes: [{}, { language: "pt" }] },
  AccessToken: { longest: 8192, takes: ["ey.A-z_0=9"], refuses: ["+ab", "ab+", "a b"] },
  Session: { longest: 4096, takes: ["any text"] },
  ConfirmationCode: { longest: 2048, takes: ["123456", "a-b"], refuses: [" ab", "ab ", "a b"] },
  Code: { longest: 2048, takes: ["123456"], refuses: [" ab", "ab "] },
  AttributeName: { longest: 32, takes: ["phone_number"], refuses: [" a", "a "] },
  RefreshToken: { longest: 8192, takes: ["any text"] },
  Token: { longest: 8192, takes: ["any text"] },
  UserCode: { shortest: 6, longest: 6, takes: ["123456"], refuses: ["a23456", "12345a"] },
  FriendlyDeviceName: { longest: 256, shortest: 0, takes: ["", "My phone"] },
  UserAttributes: {
    takes: [
      [],
      [{ Name: "name", Value: "Ana" }],
      [{ Name: "name" }],
      [{ Name: "name", Value: null }],
      [{ Name: "名前", Value: "a".repeat(2048) }],
      Array.from({ length: 50 }, () => ({ Name: "n".repeat(32) })),
    ],
  },
  UserAttributeNames: { takes: [[], ["name"], Array.from({ length: 50 }, () => "n".repeat(32))] },
  AuthFlow: {
    takes: [
      "USER_SRP_AUTH",
      "REFRESH_TOKEN_AUTH",
      "REFRESH_TOKEN",
      "CUSTOM_AUTH",
      "ADMIN_NO_SRP_AUTH",
      "USER_PASSWORD_AUTH",
      "ADMIN_USER_PASSWORD_AUTH",
      "USER_AUTH",
    ],
    refuses: ["", "ADMIN"],
  },
  AuthParameters: { takes: [{}, { USERNAME: "a", PASSWORD: null, X: "a".repeat(8192) }] },
  ChallengeName: {
    takes: [
      "PASSWORD_VERIFIER",
      "DEVICE_SRP_AUTH",
      "DEVICE_PASSWORD_VERIFIER",
      "SMS_MFA",
      "SOFTWARE_TOKEN_MFA",
      "SELECT_MFA_TYPE",
      "NEW_PASSWORD_REQUIRED",
      "CUSTOM_CHALLENGE",
    ],
    refuses: ["", "MFA_SETUP"],
  },
  ChallengeResponses: { takes: [{}, { USERNAME: "a", ANSWER: null }] },
  SMSMfaSettings: {
    takes: [{}, { Enabled: true, PreferredMfa: false }, { Enabled: null, PreferredMfa: null }],
  },
  SoftwareTokenMfaSettings: { takes: [{}, { Enabled: true }, { PreferredMfa: true }] },
} as const satisfies Record<string, Member>;
type MemberName = keyof typeof MEMBERS;

const CLIENT = { needs: ["ClientId"], may: ["ClientMetadata"] } as const;
const USER = { needs: ["ClientId", "Username"], may: ["ClientMetadata", "SecretHash"] } as const;
const BEARER = { needs: ["AccessToken"], may: ["ClientMetadata"] } as const;
const and = (
  { needs, may }: { needs: readonly MemberName[]; may: readonly MemberName[] },
  moreNeeds: MemberName[],
  mayMore: MemberName[] = [],
) => ({ needs: [...needs, ...moreNeeds], may: [...may, ...mayMore] });

/** Each operation's required and optional fields. */
const OPERATIONS: Record<OperationName, { needs: readonly MemberName[]; may: readonly MemberName[] }> = {
  SignUp: and(USER, ["Password"], ["UserAttributes"]),
  ConfirmSignUp: and(USER, ["ConfirmationCode"]),
  ResendConfirmationCode: USER,
  InitiateAuth: and(CLIENT, ["AuthFlow"], ["AuthParameters"]),
  RespondToAuthChallenge: and(CLIENT, ["ChallengeName"], ["ChallengeResponses", "Session"]),
  GetTokensFromRefreshToken: and(CLIENT, ["RefreshToken"]),
  GetUser: BEARER,
  ChangePassword: and(BEARER, ["ProposedPassword"], ["PreviousPassword"]),
  ForgotPassword: USER,
  ConfirmForgotPassword: and(USER, ["ConfirmationCode", "Password"]),
  UpdateUserAttributes: and(BEARER, ["UserAttributes"]),
  DeleteUserAttributes: and(BEARER, ["UserAttributeNames"]),
  GetUserAttributeVerificationCode: and(BEARER, ["AttributeName"]),
  VerifyUserAttribute: and(BEARER, ["AttributeName", "Code"]),
  DeleteUser: BEARER,
  GlobalSignOut: BEARER,
  RevokeToken: and(CLIENT, ["Token"]),
  ConfirmDevice: BEARER,
  UpdateDeviceStatus: BEARER,
  GetDevice: BEARER,
  ForgetDevice: BEARER,
  ListDevices: BEARER,
  AssociateSoftwareToken: { needs: [], may: ["AccessToken", "Session"] },
  VerifySoftwareToken: { needs: ["UserCode"], may: ["AccessToken", "Session", "FriendlyDeviceName"] },
  SetUserMFAPreference: and(BEARER, [], ["SMSMfaSettings", "SoftwareTokenMfaSettings"]),
};

const parse = (operation: OperationName, body: unknown): unknown => parseRequest(requests[operation], body);
/** The fault of a body; null for none. */
function problemOf(operation: OperationName, body: unknown): string | null {
  try {
    parse(operation, body);
    return null;
  } catch (error) {
    const { type, message } = Object(error);
    return `${type}: ${message}`;
  }
}
const minimal = (operation: OperationName) =>
  Object.fromEntries(OPERATIONS[operation].needs.map((name) => [name, MEMBERS[name].takes[0]]));
const place = (name: string) => `at '${name.charAt(0).toLowerCase()}${name.slice(1)}'`;
const INVALID = "InvalidParameterException: 1 validation error detected: Value";

describe.each(Object.entries(OPERATIONS))("%s", (name, { needs, may }) => {
  const operation = Object.keys(requests).find((one): one is OperationName => one === name) ?? "GetUser";
  const whole = minimal(operation);

  it("takes what it needs, leaves out what it does not know, and names what is missing", () => {
    expect(parse(operation, { ...whole, NoSuchMember: 1 })).toEqual(whole);
    for (const need of needs) {
      const { [need]: _without, ...rest } = whole;
      const isText = typeof MEMBERS[need].takes[0] === "string";
      const missing = `${INVALID} ${place(need)} failed to satisfy constraint: Member must not be null`;
      expect([need, problemOf(operation, rest)]).toEqual([need, missing]);
      expect([need, problemOf(operation, { ...whole, [need]: null })]).toEqual([need, missing]);
      if (isText)
        expect(problemOf(operation, { ...whole, [need]: 7 })).toMatch(/^(Serialization|InvalidParameter)/);
    }
  });

  it("may have more, or null in its place", () => {
    for (const more of may) {
      for (const value of [null, ...MEMBERS[more].takes]) {
        const body = { ...whole, [more]: value };
        expect(parse(operation, body)).toEqual(body);
      }
    }
  });

  it("takes and refuses what each member does", () => {
    for (const member of [...needs, ...may]) {
      const { takes, refuses = [], longest, shortest = 1 }: Member = MEMBERS[member];
      const give = (value: unknown) => problemOf(operation, { ...whole, [member]: value });
      for (const value of takes) expect([member, value, give(value)]).toEqual([member, value, null]);
      for (const value of refuses) {
        if (value !== "") expect([member, value, give(value)]).not.toEqual([member, value, null]);
      }
      if (longest === undefined) continue;
      const [sample = ""] = typeof takes[0] === "string" ? [takes[0].slice(0, 1)] : [];
      const letter = sample === "" ? "a" : sample;
      expect([member, give(letter.repeat(longest))]).toEqual([member, null]);
      const tooLong = `${INVALID} ${place(member)} failed to satisfy constraint: Member must have length less than or equal to ${longest}`;
      expect(give(letter.repeat(longest + 1))).toBe(tooLong);
      if (shortest > 1)
        expect(give(letter.repeat(shortest - 1))).toContain(`greater than or equal to ${shortest}`);
      if (shortest === 1) expect(give("")).toContain("Member must have length greater than or equal to 1");
    }
  });
});

describe("parts of a request", () => {
  const update = (UserAttributes: unknown) =>
    problemOf("UpdateUserAttributes", { AccessToken: "a", UserAttributes });
  const start = (AuthParameters: unknown) =>
    problemOf("InitiateAuth", { ClientId: "a", AuthFlow: "USER_AUTH", AuthParameters });

  it.each([
    ["more than fifty attributes", update(Array.from({ length: 51 }, () => ({ Name: "n" }))), "equal to 50"],
    ["a long name", update([{ Name: "n".repeat(33) }]), "at 'userAttributes.0.name'"],
    ["a name with a space", update([{ Name: "a b" }]), "at 'userAttributes.0.name'"],
    [
      "no name",
      update([{ Value: "a" }]),
      "at 'userAttributes.0.name' failed to satisfy constraint: Member must not be null",
    ],
    ["a long value", update([{ Name: "a", Value: "a".repeat(2049) }]), "length less than or equal to 2048"],
    ["a long parameter", start({ USERNAME: "a".repeat(8193) }), "length less than or equal to 8192"],
    [
      "more than fifty names",
      problemOf("DeleteUserAttributes", {
        AccessToken: "a",
        UserAttributeNames: Array.from({ length: 51 }, () => "n"),
      }),
      "equal to 50",
    ],
    ["a parameter of another type", start({ USERNAME: 7 }), "SerializationException"],
    [
      "metadata of another type",
      problemOf("GetUser", { AccessToken: "a", ClientMetadata: { a: 1 } }),
      "Serial",
    ],
    [
      "a switch of another type",
      problemOf("SetUserMFAPreference", { AccessToken: "a", SMSMfaSettings: { Enabled: "yes" } }),
      "SerializationException",
    ],
    [
      "a preference of another type",
      problemOf("SetUserMFAPreference", { AccessToken: "a", SoftwareTokenMfaSettings: { PreferredMfa: 1 } }),
      "SerializationException",
    ],
  ])("that are refused: %s", (_name, problem, expected) => {
    expect(problem).toContain(expected);
  });

  it("are named each, with the pattern as Cognito writes it", () => {
    const body = { ClientId: "a", Username: "a b", Password: " x" };
    expect(problemOf("SignUp", body)).toBe(
      "InvalidParameterException: 2 validation errors detected: Value at 'username' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+; Value at 'password' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\S]+.*[\\S]+",
    );
    expect(problemOf("InitiateAuth", { ClientId: "a", AuthFlow: "CAPTCHA" })).toBe(
      `${INVALID} 'CAPTCHA' at 'authFlow' failed to satisfy constraint: Member must satisfy enum value set: [USER_SRP_AUTH, REFRESH_TOKEN_AUTH, REFRESH_TOKEN, CUSTOM_AUTH, ADMIN_NO_SRP_AUTH, USER_PASSWORD_AUTH, ADMIN_USER_PASSWORD_AUTH, USER_AUTH]`,
    );
    expect(problemOf("InitiateAuth", { ClientId: "a", AuthFlow: 7 })).toContain("Value at 'authFlow'");
  });

  it.each([[[]], [7], ["{}"], [null]])("other than an object can't be read: %j", (body) => {
    expect(problemOf("GetUser", body)).toMatch(/^(SerializationException|InvalidParameterException)/);
  });
});
