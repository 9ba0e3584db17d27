import type { EpochMs } from "../../../db/shapes/units.ts";

/** Of whom and of which sign-in a token speaks. */
export type TokenContext = {
  issuer: string;
  clientId: string;
  sub: string;
  /** Names the sign-in: the same in all of its tokens, kept on refresh. */
  originJti: string;
  /** The interactive sign-in; kept on refresh. */
  authTime: EpochMs;
  /** The same in both tokens of one answer. */
  eventId: string;
  issuedAt: EpochMs;
  lifetimeSeconds: number;
  jti: string;
};

/** What is told about the account in the id token. */
export type TokenAttributes = { phoneNumber: string; phoneVerified: boolean; others: Record<string, string> };

type Claims = Record<string, string | number | boolean>;

function commonClaims(facts: TokenContext): Claims {
  const issuedAt = Math.floor(facts.issuedAt / 1000);
  return {
    sub: facts.sub,
    iss: facts.issuer,
    origin_jti: facts.originJti,
    event_id: facts.eventId,
    auth_time: Math.floor(facts.authTime / 1000),
    iat: issuedAt,
    exp: issuedAt + facts.lifetimeSeconds,
    jti: facts.jti,
  };
}

/** `cognito:username` is the sub, for a phone number is only an alias of it. */
export function idClaims(facts: TokenContext, attributes: TokenAttributes): Claims {
  return {
    ...attributes.others,
    ...(attributes.others["email"] === undefined ? {} : { email_verified: false }),
    phone_number: attributes.phoneNumber,
    phone_number_verified: attributes.phoneVerified,
    ...commonClaims(facts),
    aud: facts.clientId,
    token_use: "id",
    "cognito:username": facts.sub,
  };
}

/** The access token has no `aud`. */
export function accessClaims(facts: TokenContext): Claims {
  return {
    ...commonClaims(facts),
    client_id: facts.clientId,
    token_use: "access",
    scope: "aws.cognito.signin.user.admin",
    username: facts.sub,
  };
}
