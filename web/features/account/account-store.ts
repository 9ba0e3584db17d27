import { createStore } from "@tanstack/react-store";

/** With what somebody signs in; the name only where they have just registered. */
export type Credentials = { phone: string; password: string; name: string | null };

/** What an earlier step has to say on the sign-in screen. */
export type SignInNotice = "sign_in_by_hand" | "password_changed";

/**
 * What outlives a change of language and the way from one account screen to the next. It stands in memory
 * only; a password is in it for as long as the screen that awaits the code of a new account stands.
 */
type AccountState = {
  /** As typed. */
  phone: string;
  name: string;
  /** Whose number still needs its code. */
  unconfirmed: Credentials | null;
  /** The number, in E.164, to which a code for a new password went. */
  resettingPhone: string | null;
  /** Epoch ms of the last code sent; 0 where none was. */
  codeSentAt: number;
  notice: SignInNotice | null;
  /** While somebody is being let in, before it is known where they go. */
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
