import type { QueryClient } from "@tanstack/react-query";
import { redirect, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import type { User } from "../../../worker/contract/user.ts";
import { localAuthError } from "../../api/auth-error.ts";
import { restoreUser } from "../../api/cached-user.ts";
import { configQuery, userQuery } from "../../api/queries.ts";
import { restoreSession, sessionStore, type AuthUser } from "../../api/session.ts";
import { useAuthState } from "./auth-state.ts";

/** Somebody is signed in who has no record: the last step of registering is missing. */
export class MissingRecordError extends Error {
  override name = "MissingRecordError";
}

/**
 * Lets past who is signed in and has a record. The record of the last visit will do: it is refetched as soon as
 * a screen reads it.
 * @throws a redirect to the sign-in screen, which leads back to `returnPath`
 * @throws {AuthError} `StatusNotFetched` or `UserNotFetched`
 * @throws {MissingRecordError}
 */
export async function requireDriver(queryClient: QueryClient, returnPath: string): Promise<User> {
  const session = await findSession(queryClient);
  const user = session?.phoneNumber ? await findUser(queryClient, session) : null;
  // The call for the record may have shown that the session is over.
  if (!sessionStore.get()) throw redirect({ to: "/login", search: { back: returnPath }, replace: true });
  if (user === undefined) throw localAuthError("UserNotFetched");
  if (user === null) throw new MissingRecordError();
  return user;
}

async function findSession(queryClient: QueryClient): Promise<AuthUser | null> {
  const known = sessionStore.get();
  if (known !== undefined) return known;
  const config = await queryClient.ensureQueryData(configQuery).catch(() => undefined);
  if (!config) throw localAuthError("StatusNotFetched");
  return sessionStore.get() ?? restoreSession(config.identity, Date.now());
}

/** The record, null where there is none; undefined where it can't be had. */
async function findUser(queryClient: QueryClient, { username }: AuthUser): Promise<User | null | undefined> {
  restoreUser(queryClient, username);
  return queryClient.ensureQueryData(userQuery).catch(() => undefined);
}

/**
 * What `requireDriver` decided, as it changes while the screens behind it are open: a session ends, the record
 * goes or can't be refetched. Loaders don't run then, so this throws what they would.
 * @returns whether the screens may be shown now
 */
export function useDriverGuard(): boolean {
  const { authUser, isAuthenticated, isLoading, error } = useAuthState();
  const isSignedOut = !authUser && !isLoading;
  useReloadGuardWhen(isSignedOut);
  if (isAuthenticated || isLoading || isSignedOut) return isAuthenticated;
  throw error ?? new MissingRecordError();
}

/** Has the router ask `requireDriver` again, once, as soon as something holds. */
export function useReloadGuardWhen(condition: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (condition) void router.invalidate();
  }, [condition, router]);
}
