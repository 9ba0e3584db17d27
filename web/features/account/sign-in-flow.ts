import type { QueryClient } from "@tanstack/react-query";
import { resetPassword, signIn, signInWithSession } from "../../api/session/auth.ts";
import { loadPasskeyHints, notePasskey } from "../../api/session/passkey-hints.ts";
import { isCodeRefused } from "../../api/session/provider-error.ts";
import type { PasskeySignInOptions } from "../../api/session/passkey.ts";
import { formatPhone } from "../../../locales/phone-number.ts";
import { userQuery } from "../../api/queries/user.ts";
import { parseTokenName, sessionStore } from "../../api/session/session.ts";
import { updateAccount, type Credentials } from "./account-store.ts";
import { createDriverRecord } from "./driver-record.ts";

/**
 * Signs in, and creates the driver's record if it is missing, before the page goes on.
 * @param session of the number's confirmation a moment ago, which spares the proof of the password
 */
export async function signInWithRecord(
  queryClient: QueryClient,
  credentials: Credentials,
  session: string | null = null,
): Promise<void> {
  await enter(async () => {
    const byPassword = () => signIn(credentials.phone, credentials.password);
    if (session === null) await byPassword();
    else await signInWithSession(credentials.phone, session).catch(byPassword);
    if (loadPasskeyHints().offer === null) notePasskey({ offer: "due" });
    // Without a record the next screen's session gate offers to create it.
    await ensureRecord(queryClient, credentials).catch(() => undefined);
  });
}

/** The same with a passkey. The first one was added after a sign-in that made the record. */
export function signInByPasskey(way: PasskeySignInOptions = {}): Promise<void> {
  return enter(async () => (await import("../../api/session/passkey.ts")).signInWithPasskey(way));
}

/** The same with one that is suggested. It waits for as long as the screen is open. */
export async function signInBySuggestion(): Promise<void> {
  await (await import("../../api/session/passkey.ts")).signInWithPasskey({ isSuggested: true });
  forgetEntry();
}

/** Leaves nothing of the account screens behind for the next one who signs in. */
function forgetEntry(): void {
  updateAccount({
    phone: "",
    name: "",
    unconfirmed: null,
    resettingPhone: null,
    back: undefined,
    codeSent: null,
    notice: null,
  });
}

async function enter(signInNow: () => Promise<void>): Promise<void> {
  updateAccount({ isSigningIn: true });
  try {
    await signInNow();
    forgetEntry();
  } finally {
    updateAccount({ isSigningIn: false });
  }
}

/**
 * Sets a new password by a code, and signs in with it: it need not be typed once more. The form of the code stays until
 * both are done.
 * @param mayBeDone whether the same was sent before and the answer was lost: a code that is refused then may be used up, and
 * the password set, which signing in shows
 * @returns false if only the sign-in failed, which the sign-in screen then says
 * @throws {AuthError} if the password was not set
 */
export async function resetAndSignIn(
  queryClient: QueryClient,
  { phone, code, password, mayBeDone }: { phone: string; code: string; password: string; mayBeDone: boolean },
): Promise<boolean> {
  try {
    await resetPassword({ phone, code, password });
  } catch (refused) {
    if (!mayBeDone || !isCodeRefused(refused)) throw refused;
    await signInWithRecord(queryClient, { phone, password, name: null }).catch(() => {
      throw refused;
    });
    return true;
  }
  try {
    await signInWithRecord(queryClient, { phone, password, name: null });
    return true;
  } catch {
    updateAccount({ phone: formatPhone(phone), resettingPhone: null, notice: "password_changed" });
    return false;
  }
}

/** Creates the record if there is none: registration may have stopped before its last step. */
async function ensureRecord(queryClient: QueryClient, { phone, name }: Credentials): Promise<void> {
  const driverName = name ?? (await tokenNameWithoutRecord(queryClient));
  if (driverName) await createDriverRecord(queryClient, { name: driverName, phone });
}

/** The name in the token of somebody who has no record; null where there is one. */
async function tokenNameWithoutRecord(queryClient: QueryClient): Promise<string | null> {
  const user = await queryClient.fetchQuery({ ...userQuery, staleTime: 0 });
  const session = sessionStore.get();
  return user === null && session ? parseTokenName(session) : null;
}
