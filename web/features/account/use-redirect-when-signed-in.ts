import { useRouter } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useEffect } from "react";
import { preloadAuth } from "../../api/session/auth.ts";
import { sessionStore } from "../../api/session/session.ts";
import { accountStore } from "./account-store.ts";

/** Leaves the account screens once somebody is signed in: back where they came from, or to the next step of setup. */
export function useRedirectWhenSignedIn(returnPath: string | undefined): void {
  const { history } = useRouter();
  const isSignedIn = Boolean(useSelector(sessionStore));
  const isSigningIn = useSelector(accountStore, (state) => state.isSigningIn);
  useEffect(preloadAuth, []);
  useEffect(() => {
    if (isSignedIn && !isSigningIn) history.replace(returnPath ?? "/flex");
  }, [isSignedIn, isSigningIn, returnPath, history]);
}
