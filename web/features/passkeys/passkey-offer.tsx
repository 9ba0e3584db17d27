import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { passkeysQuery } from "../../api/queries/passkeys.ts";
import { useConfig } from "../../api/queries/use-config.ts";
import { usesOwnPool } from "../../api/session/cognito-request.ts";
import { notePasskey } from "../../api/session/passkey-hints.ts";
import { keepsPasskeys } from "../../api/session/passkey.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { handFocusOn } from "../../ui/hand-focus-on.ts";
import { FormError } from "../../ui/notices.tsx";
import { FreshSignInSheet } from "../account/fresh-sign-in-sheet.tsx";
import { useUser } from "../session/use-user.ts";
import { useAddPasskey } from "./use-add-passkey.ts";

/** Asked of the browser, not of the server. */
const devicePasskeysQuery = {
  queryKey: ["device-passkeys"],
  queryFn: keepsPasskeys,
  networkMode: "always",
  staleTime: Infinity,
} as const;

/** Offers a passkey after the first sign-in by password. A driver who has one or declines isn't asked again in this browser. */
export function PasskeyOffer() {
  const isOwnPool = usesOwnPool(useConfig().identity);
  const { data: isPossible = false } = useQuery({ ...devicePasskeysQuery, enabled: isOwnPool });
  const { data } = useQuery({ ...passkeysQuery, enabled: isOwnPool && isPossible });
  const { phoneNumber } = useUser();
  const [isDone, setDone] = useState(false);
  const { add, isPending, isSuccess, problem } = useAddPasskey();
  if (isDone || isSuccess || !data || data.passkeys.length > 0) return null;
  const dismiss = () => {
    notePasskey({ offer: "done" });
    setDone(true);
  };
  return (
    <section ref={handFocusOn} aria-labelledby="passkey-offer" className="card grid gap-3 p-4">
      <div className="flex items-start gap-3">
        <KeyRound aria-hidden className="mt-0.5 size-5 shrink-0 text-soft" />
        <div>
          <h3 id="passkey-offer" className="text-base">
            {m.passkeys_offer_title()}
          </h3>
          <p className="text-sm text-soft">{m.passkeys_offer_text()}</p>
        </div>
      </div>
      {problem && <FormError {...problem} />}
      <div className="flex flex-wrap gap-2">
        <Button aria-disabled={isPending} onClick={add}>
          {isPending ? m.passkeys_adding() : m.passkeys_offer_yes()}
        </Button>
        <Button variant="quiet" onClick={dismiss}>
          {m.passkeys_offer_no()}
        </Button>
      </div>
      <FreshSignInSheet phone={phoneNumber} />
    </section>
  );
}
