import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSelector, createStore } from "@tanstack/react-store";
import { useEffect, useId } from "react";
import { createPortal } from "react-dom";
import { signInAgain } from "../../api/session/auth.ts";
import { hasPasskeys, loadPasskeyHints } from "../../api/session/passkey-hints.ts";
import { sessionsQuery } from "../../api/queries/account.ts";
import { useIsHydrated } from "../../early/use-is-hydrated.ts";
import { m } from "../../messages/messages.js";
import { formatPhoneText } from "../language/format.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { describeAuthError } from "./auth-messages.ts";
import { validatePassword } from "./field-validation.ts";
import { HiddenUsername, KnownPasswordField } from "./fields.tsx";
import { RequestError } from "../../api/client/request-error.ts";

/** A call that waits for the driver to enter the password. */
type Waiting = { onSignedIn: () => void; onCancel: () => void };

/** The calls for which the sheet asks for the password; it is closed while there are none. */
const freshSignInStore = createStore<readonly Waiting[]>([]);

/** The sheets on the screen, of which the first one asks: two parts of a dashboard may each bring theirs. */
const sheetsStore = createStore<readonly string[]>([]);

/** Asks for the password before what needs a recent sign-in. Belongs to every part of a screen that does such a thing. */
export function FreshSignInSheet({ phone }: { phone: string }) {
  const id = useId();
  useEffect(() => {
    sheetsStore.setState((sheets) => [...sheets, id]);
    return () => sheetsStore.setState((sheets) => sheets.filter((other) => other !== id));
  }, [id]);
  const isFirst = useSelector(sheetsStore, ([first]) => first === id);
  const isAsked = useSelector(freshSignInStore, (waiting) => waiting.length > 0);
  if (!useIsHydrated()) return null;
  return createPortal(
    <Sheet
      open={isAsked && isFirst}
      onClose={() => settleFreshSignIn("onCancel")}
      edge="middle"
      title={m.sign_in_again_title()}
    >
      <PasswordForm phone={phone} />
    </Sheet>,
    // The part that brings the first one may be hidden behind another: a dialog in it would lock the page unseen.
    document.body,
  );
}

function PasswordForm({ phone }: { phone: string }) {
  const queryClient = useQueryClient();
  const isByPasskey = hasPasskeys() && loadPasskeyHints().isKnown;
  const goOn = () => {
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    settleFreshSignIn("onSignedIn");
  };
  const passkey = useMutation({
    // Few drivers enter it here, so it isn't part of what every screen loads.
    mutationFn: async () => (await import("../../api/session/passkey.ts")).signInAgainWithPasskey(),
    onSuccess: goOn,
  });
  const form = useSubmitForm({
    defaultValues: { password: "" },
    send: async ({ password }) => {
      await signInAgain(password);
      goOn();
    },
    describeError: (error) => describeAuthError("signInAgain", error),
  });
  return (
    <form.AppForm>
      <form.Body aria-label={m.sign_in_again_title()} className="grid gap-4">
        <p className="text-sm text-soft figures">{m.sign_in_again_text({ phone: formatPhoneText(phone) })}</p>
        <HiddenUsername phone={phone} />
        <form.AppField name="password" validators={{ onDynamic: ({ value }) => validatePassword(value) }}>
          {() => <KnownPasswordField />}
        </form.AppField>
        <form.SubmitError />
        {isByPasskey && passkey.error && (
          <FormError {...describeAuthError("passkey", passkey.error).message} />
        )}
        <p className="text-sm text-soft">{m.sign_in_again_forgot()}</p>
        <div className="grid gap-3">
          <form.SubmitButton pendingLabel={m.sign_in_again_sending()}>
            {m.sign_in_again_button()}
          </form.SubmitButton>
          {isByPasskey && (
            <Button aria-disabled={passkey.isPending} onClick={() => passkey.isPending || passkey.mutate()}>
              {m.passkey_instead()}
            </Button>
          )}
          <Button variant="quiet" onClick={() => settleFreshSignIn("onCancel")}>
            {m.cancel()}
          </Button>
        </div>
      </form.Body>
    </form.AppForm>
  );
}

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
    const waiting = { onSignedIn: resolve, onCancel: () => reject(refusal) };
    // Another call may wait already: one password is for both.
    freshSignInStore.setState((others) => [...others, waiting]);
  });
}

/** Closes the sheet, and lets the calls that wait go on or give up. */
function settleFreshSignIn(outcome: keyof Waiting): void {
  const waiting = freshSignInStore.get();
  freshSignInStore.setState(() => []);
  for (const call of waiting) call[outcome]();
}
