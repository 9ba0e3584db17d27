import { useRouter } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useEffect } from "react";
import { preloadAuth } from "../../api/auth.ts";
import { sessionStore } from "../../api/session.ts";
import { accountStore } from "./account-store.ts";

/** Leaves the sign-in screens as soon as somebody is in: back where they came from, or where they are needed. */
export function useRedirectWhenSignedIn(returnPath: string | undefined): void {
  const { history } = useRouter();
  const isSignedIn = Boolean(useSelector(sessionStore));
  const isSigningIn = useSelector(accountStore, (state) => state.isSigningIn);
  useEffect(preloadAuth, []);
  useEffect(() => {
    if (isSignedIn && !isSigningIn) history.replace(returnPath ?? "/flex");
  }, [isSignedIn, isSigningIn, returnPath, history]);
}
