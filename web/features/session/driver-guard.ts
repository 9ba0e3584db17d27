import type { QueryClient } from "@tanstack/react-query";
import { redirect, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import type { User } from "../../../worker/contract/account/user.ts";
import { localAuthError } from "../../api/session/auth-error.ts";
import { restoreUser } from "../../api/cache/offline-cache.ts";
import { configQuery, isUserRetryable, userQuery } from "../../api/queries/user.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { restoreSession, sessionStore, type AuthUser } from "../../api/session/session.ts";
import { useAuthState } from "./auth-state.ts";
import { serverNow } from "../../early/server-clock.ts";

/** The account has no record yet: registration stopped before its last step. */
export class MissingRecordError extends Error {
  override name = "MissingRecordError";
}

/**
 * The guard of the signed-in screens: somebody must be signed in and have a record, and the config is loaded. A record
 * cached on the device is enough, since the screens refetch it.
 * @throws a redirect to the sign-in screen, which comes back to `returnPath`
 * @throws {AuthError} `StatusNotFetched` or `UserNotFetched`
 * @throws {MissingRecordError}
 */
export async function requireDriver(queryClient: QueryClient, returnPath: string): Promise<User> {
  const session = await findSession(queryClient);
  const user = session?.phoneNumber ? await findUser(queryClient, session) : null;
  return requireFetched(user, returnPath);
}

/**
 * The same, by the record as the server has it now: for what a record of a moment ago would decide wrongly. Without a
 * connection, the known one.
 * @throws as `requireDriver`
 */
export async function requireCurrentDriver(queryClient: QueryClient, returnPath: string): Promise<User> {
  const known = await requireDriver(queryClient, returnPath);
  // One that is on its way may be from before the driver's last step.
  await queryClient.cancelQueries(userQuery);
  const isNetworkError = (error: Error) => errorCodeOf(error) === "network";
  const user = await queryClient
    .fetchQuery({
      ...userQuery,
      staleTime: 0,
      networkMode: "always",
      retry: (failures, error) => !isNetworkError(error) && isUserRetryable(failures, error),
    })
    .catch((error: Error) => (isNetworkError(error) ? known : undefined));
  return requireFetched(user, returnPath);
}

/** @param user null if there is none, undefined if it could not be fetched */
function requireFetched(user: User | null | undefined, returnPath: string): User {
  // Fetching the record may have ended the session.
  if (!sessionStore.get()) throw redirect({ to: "/login", search: { back: returnPath }, replace: true });
  if (user === undefined) throw localAuthError("UserNotFetched");
  if (user === null) throw new MissingRecordError();
  return user;
}

/** Loads the config for the screens behind the guard, too. */
async function findSession(queryClient: QueryClient): Promise<AuthUser | null> {
  if (sessionStore.get() === null) return null;
  const config = await queryClient.ensureQueryData(configQuery).catch(() => undefined);
  if (!config) throw localAuthError("StatusNotFetched");
  const known = sessionStore.get();
  return known === undefined ? restoreSession(config.identity, serverNow()) : known;
}

/** The record; null if there is none, undefined if it can't be fetched. */
async function findUser(queryClient: QueryClient, { username }: AuthUser): Promise<User | null | undefined> {
  restoreUser(queryClient, username);
  return queryClient.ensureQueryData(userQuery).catch(() => undefined);
}

/**
 * Keeps the guard's decision current while the screens are open: the session may end, the record may disappear or
 * fail to refetch. Throws what `requireDriver` would; a lost session makes it run again, which redirects.
 * @returns whether the screens can be shown now
 */
export function useDriverGuard(): boolean {
  const { authUser, isAuthenticated, isLoading, error } = useAuthState();
  const isSignedOut = !authUser && !isLoading;
  useReloadGuardWhen(isSignedOut);
  if (isAuthenticated || isLoading || isSignedOut) return isAuthenticated;
  throw error ?? new MissingRecordError();
}

/** Makes the router run `requireDriver` again when a condition becomes true. */
export function useReloadGuardWhen(condition: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (condition) void router.invalidate();
  }, [condition, router]);
}
