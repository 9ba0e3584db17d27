import { createStore } from "@tanstack/react-store";
import { RequestError } from "../../api/client/request-error.ts";

/** Somebody who waits for the driver to enter the password. */
type Waiting = { onSignedIn: () => void; onCancel: () => void };

/** Set while the sheet asks for the password. */
export const freshSignInStore = createStore<Waiting | null>(null);

/**
 * Makes a call that needs a recent sign-in. If the last one is too old, the driver enters the password, and the call is
 * repeated.
 * @throws {RequestError} `sign_in_again` if the driver doesn't
 */
export async function withFreshSignIn<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof RequestError && error.code === "sign_in_again")) throw error;
    await askForPassword(error);
    return call();
  }
}

function askForPassword(refusal: RequestError): Promise<void> {
  return new Promise((resolve, reject) => {
    freshSignInStore.setState(() => ({ onSignedIn: resolve, onCancel: () => reject(refusal) }));
  });
}

/** Closes the sheet, and lets who waits go on or give up. */
export function settleFreshSignIn(outcome: keyof Waiting): void {
  const waiting = freshSignInStore.get();
  freshSignInStore.setState(() => null);
  waiting?.[outcome]();
}
