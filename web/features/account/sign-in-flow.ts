import type { QueryClient } from "@tanstack/react-query";
import { signIn } from "../../api/auth.ts";
import { userQuery } from "../../api/queries.ts";
import { parseTokenName, sessionStore } from "../../api/session.ts";
import { updateAccount, type Credentials } from "./account-store.ts";
import { createDriverRecord } from "./driver-record.ts";

/** Signs in, and creates the driver's record if it is missing, before the page goes on. */
export async function signInWithRecord(queryClient: QueryClient, credentials: Credentials): Promise<void> {
  updateAccount({ isSigningIn: true });
  try {
    await signIn(credentials.phone, credentials.password);
    // Without a record the next screen's session gate offers to create it.
    await ensureRecord(queryClient, credentials).catch(() => undefined);
    updateAccount({ phone: "", name: "", unconfirmed: null, codeSent: null, notice: null });
  } finally {
    updateAccount({ isSigningIn: false });
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
