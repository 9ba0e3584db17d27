import { findPasskey, usePasskey, type Passkey } from "../../../db/queries/identity/passkeys.ts";
import { findPoolUser, type PoolUser } from "../../../db/queries/identity/pool-users.ts";
import { toBase64Url } from "../../../durable/runtime/base64.ts";
import { findAccount } from "../accounts/accounts.ts";
import { beginGuess } from "../accounts/guesses.ts";
import { undo } from "../accounts/undo.ts";
import { utf8 } from "../bytes.ts";
import { findRecoveryBefore } from "../passkeys/passkeys.ts";
import {
  makeChallenge,
  PASSKEY_CHALLENGE_MS,
  parseAssertion,
  requestOptions,
  verifyAssertion,
} from "../passkeys/webauthn.ts";
import { type PoolContext, noteEvent } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import type { ClientMetadata } from "../protocol/requests.ts";
import {
  consume,
  createChallengeSession,
  sealChallengeSession,
  type ChallengeSession,
} from "./challenge-sessions.ts";
import { nextStep, type SignInResponse } from "./next-step.ts";

/** The user name of CUSTOM_AUTH by which a client asks for a passkey, whoever's it may be. Neither a number nor a sub. */
export const PASSKEY_USERNAME = "passkey";

/** Asks for a signature of any passkey. It names no account, so it discloses none. */
export async function issuePasskeyChallenge(pool: PoolContext): Promise<SignInResponse> {
  const { id: sub } = await findAccount(pool, PASSKEY_USERNAME, cognitoErrors.wrongPassword);
  const challenge = makeChallenge(pool);
  const session = createChallengeSession(pool, "CUSTOM_CHALLENGE", { sub, isCustom: true, passed: [] });
  const expiresAt = pool.now() + PASSKEY_CHALLENGE_MS;
  return {
    ChallengeName: "CUSTOM_CHALLENGE",
    ChallengeParameters: {
      USERNAME: PASSKEY_USERNAME,
      WEBAUTHN_OPTIONS: JSON.stringify(requestOptions(pool, challenge)),
    },
    Session: await sealChallengeSession(pool, { ...session, expiresAt, passkeyChallenge: challenge }),
  };
}

/** In `ClientMetadata`: the owner of a passkey that was removed after a recovery by text says that it was somebody else. */
const UNDO_RECOVERY = "undo_recovery";

/**
 * Checks the signature of a passkey. Any answer uses the challenge up, and whatever is wrong with one gets the same error.
 * A password that must be set anew keeps no passkey out: its owner needs none. One that was removed after a recovery by text
 * opens nothing, but takes the account back while that recovery can be undone.
 */
export async function verifyPasskey(
  pool: PoolContext,
  {
    session,
    challenge,
    answer,
    metadata,
  }: {
    session: ChallengeSession;
    challenge: string;
    answer: string;
    metadata: ClientMetadata;
  },
): Promise<SignInResponse> {
  if (!(await consume(pool, session))) throw cognitoErrors.usedSession();
  const assertion = parseAssertion(answer);
  const passkey = assertion && (await findPasskey(pool.db, assertion.id));
  if (!assertion || !passkey) throw cognitoErrors.wrongPassword();
  const guess = await beginGuess(pool, { sub: passkey.userId, kind: "passkey" });
  const { userHandle } = assertion.response;
  const isOwn = userHandle === toBase64Url(utf8(passkey.userId));
  const counter = isOwn ? await verifyAssertion(pool, { challenge, passkey }, assertion) : null;
  const found = await findPoolUser(pool.db, passkey.userId);
  if (counter === null || !found) {
    await guess.wrong();
    throw cognitoErrors.wrongPassword();
  }
  await guess.right();
  if (!found.enabled) throw cognitoErrors.disabled();
  const user =
    passkey.removedAt === null
      ? found
      : await takeBack(pool, passkey, { isMeant: metadata?.[UNDO_RECOVERY] === "true" });
  if (!(await usePasskey(pool.db, { id: passkey.id, counter, now: pool.now() })))
    throw cognitoErrors.wrongPassword();
  return nextStep(pool, user, {
    progress: { sub: user.id, isCustom: true, passed: ["custom", "passkey"], passkeyId: passkey.id },
    metadata,
  });
}

/**
 * Undoes the recovery after which a passkey was removed, which ends every session and restores the passkey.
 * @throws {CognitoError} if there is none, or if its owner hasn't said to
 */
async function takeBack(
  pool: PoolContext,
  passkey: Passkey,
  { isMeant }: { isMeant: boolean },
): Promise<PoolUser> {
  const recovery = await findRecoveryBefore(pool, passkey);
  if (!recovery) throw cognitoErrors.wrongPassword();
  if (!isMeant) throw cognitoErrors.passkeyRemoved();
  if ((await undo(pool, recovery)) !== "undone") throw cognitoErrors.wrongPassword();
  await noteEvent(pool, "change_undone", passkey.userId);
  const user = await findPoolUser(pool.db, passkey.userId);
  if (!user) throw cognitoErrors.wrongPassword();
  return user;
}
