import { createStore } from "@tanstack/react-store";

/** What somebody signs in with; the name only where they have just registered. */
export type Credentials = { phone: string; password: string; name: string | null };

/** What an earlier step leaves to say on the sign-in screen. */
export type SignInNotice = "automatic_sign_in_failed" | "password_changed";

/**
 * What one account screen hands to the next. In memory only; a password is in it only while the screen that
 * awaits the code of a new account is mounted.
 */
type AccountState = {
  /** As typed last: the next form that asks for it starts with it. */
  phone: string;
  /** So too. */
  name: string;
  /** Whose number still needs its code. */
  unconfirmed: Credentials | null;
  /** The number, in E.164, to which a code for a new password went. */
  resettingPhone: string | null;
  /** Epoch ms of the last code sent; 0 where none was. */
  codeSentAt: number;
  notice: SignInNotice | null;
  /** True from the sign-in call until it is known where the driver goes. */
  isSigningIn: boolean;
};

export const accountStore = createStore<AccountState>({
  phone: "",
  name: "",
  unconfirmed: null,
  resettingPhone: null,
  codeSentAt: 0,
  notice: null,
  isSigningIn: false,
});

export function updateAccount(change: Partial<AccountState>): void {
  accountStore.setState((state) => ({ ...state, ...change }));
}
