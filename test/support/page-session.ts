import { sessionStore, type AuthUser } from "../../web/api/session/session.ts";

/** The page's session is this driver's; null signs out. */
export function setPageSession(username: string | null): void {
  sessionStore.setState((): AuthUser | null =>
    username === null
      ? null
      : {
          username,
          phoneNumber: null,
          phoneNumberVerified: false,
          accessToken: "access",
          idToken: "id",
          idTokenExp: 0,
          refreshToken: null,
        },
  );
}
