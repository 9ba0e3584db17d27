import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import * as z from "zod";
import type { Passkey } from "../../../db/queries/identity/passkeys.ts";
import { MINUTE_MS, type DurationMs } from "../../../db/shapes/units.ts";
import { fromBase64Url, toBase64Url } from "../../../durable/runtime/base64.ts";
import { utf8 } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";

/** How long a challenge may be signed, once. */
export const PASSKEY_CHALLENGE_MS: DurationMs = 5 * MINUTE_MS;

const CHALLENGE_BYTES = 32;
const MAX_CREDENTIAL_ID = 1400;
const MAX_PART = 8192;
/** ES256, EdDSA, RS256: what authenticators have. */
const ALGORITHMS = [-7, -8, -257];
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;

const base64Url = (length: number) =>
  z
    .string()
    .min(1)
    .max(length)
    .regex(/^[\w-]+$/);
const credentialFields = {
  id: base64Url(MAX_CREDENTIAL_ID),
  rawId: base64Url(MAX_CREDENTIAL_ID),
  type: z.literal("public-key"),
};

/** A browser's answer to `creationOptions`, as `PublicKeyCredential.toJSON()` writes it. */
export const newCredential = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64Url(MAX_PART),
    attestationObject: base64Url(MAX_PART),
    transports: z.array(z.string().max(32)).max(16).optional(),
  }),
});
export type NewCredential = z.output<typeof newCredential>;

/** A browser's answer to `requestOptions`, likewise. */
const assertion = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64Url(MAX_PART),
    authenticatorData: base64Url(MAX_PART),
    signature: base64Url(MAX_PART),
    userHandle: base64Url(128).nullish(),
  }),
});
export type Assertion = z.output<typeof assertion>;

/** Parses an assertion; null if it is none. */
export function parseAssertion(text: string): Assertion | null {
  try {
    return assertion.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** A new challenge, in Base64url. */
export function makeChallenge({ randomBytes }: Pick<PoolContext, "randomBytes">): string {
  return toBase64Url(randomBytes(CHALLENGE_BYTES));
}

/** The relying party: the deployment's host, which every passkey is bound to. */
function partyOf({ publicUrl }: Pick<PoolContext, "publicUrl">): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

/** The options of a sign-in with whichever passkey the user chooses: they name no account. */
export function requestOptions(
  pool: Pick<PoolContext, "publicUrl">,
  challenge: string,
): PublicKeyCredentialRequestOptionsJSON {
  return {
    challenge,
    rpId: partyOf(pool).id,
    timeout: PASSKEY_CHALLENGE_MS,
    userVerification: "required",
    allowCredentials: [],
  };
}

/** The options of a new passkey. An authenticator that has one already makes no other. */
export function creationOptions(
  pool: Pick<PoolContext, "publicUrl" | "productName">,
  challenge: string,
  user: { id: string; phoneNumber: string; name: string | null; passkeys: readonly Passkey[] },
): PublicKeyCredentialCreationOptionsJSON {
  const { id } = partyOf(pool);
  return {
    challenge,
    rp: { id, name: pool.productName ?? id },
    user: {
      id: toBase64Url(utf8(user.id)),
      name: user.phoneNumber,
      displayName: user.name ?? user.phoneNumber,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: PASSKEY_CHALLENGE_MS,
    attestation: "none",
    excludeCredentials: user.passkeys.map(({ credentialId, transports }) => ({
      type: "public-key",
      id: credentialId,
      transports: knownTransports(transports),
    })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
  };
}

function knownTransports(words: readonly string[]): (typeof TRANSPORTS)[number][] {
  return TRANSPORTS.filter((transport) => words.includes(transport));
}

/**
 * Checks a new passkey: challenge, origin, relying party, user verification.
 * @returns what is kept of it; null if anything differs
 */
export async function verifyNewCredential(
  pool: Pick<PoolContext, "publicUrl">,
  challenge: string,
  credential: NewCredential,
): Promise<Pick<Passkey, "credentialId" | "publicKey" | "counter" | "transports"> | null> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const { id, origin } = partyOf(pool);
  const { clientDataJSON, attestationObject, transports = [] } = credential.response;
  const response: RegistrationResponseJSON = {
    ...credential,
    response: { clientDataJSON, attestationObject },
    clientExtensionResults: {},
  };
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    return {
      credentialId: registrationInfo.credential.id,
      publicKey: toBase64Url(registrationInfo.credential.publicKey),
      counter: registrationInfo.credential.counter,
      transports: knownTransports(transports),
    };
  } catch {
    // The library throws what differs.
    return null;
  }
}

/**
 * Checks a signature of a passkey: challenge, origin, relying party, user verification, and that its count rises.
 * @returns the authenticator's count; null if anything differs
 */
export async function verifyAssertion(
  pool: Pick<PoolContext, "publicUrl">,
  { challenge, passkey }: { challenge: string; passkey: Passkey },
  { id: credentialId, rawId, type, response: signed }: Assertion,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { id, origin } = partyOf(pool);
  const { clientDataJSON, authenticatorData, signature } = signed;
  const response: AuthenticationResponseJSON = {
    id: credentialId,
    rawId,
    type,
    response: { clientDataJSON, authenticatorData, signature },
    clientExtensionResults: {},
  };
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: fromBase64Url(passkey.publicKey),
        counter: passkey.counter,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

/** Loaded with the first passkey: most calls of an isolate need none. */
function loadLibrary() {
  return import("@simplewebauthn/server");
}
