import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ShieldAlert } from "lucide-react";
import { useRef, useState } from "react";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { passkeysQuery, undoRecovery } from "../../api/queries/passkeys.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { handFocusOn } from "../../ui/hand-focus-on.ts";
import { FormError } from "../../ui/notices.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { toast } from "../../ui/toast.ts";
import { useNow } from "../../ui/use-now.ts";
import { errorMessage } from "../language/error-messages.ts";
import { formatTime } from "../language/format.ts";
import { useUser } from "../session/use-user.ts";

/** The warning on a screen that needs nothing else of the driver's passkeys. */
export function RecoveryNotice() {
  const { data } = useQuery(passkeysQuery);
  const { humanTimezone } = useUser();
  if (!data || data.recoveredAt === null) return null;
  return <RecoveryWarning at={data.recoveredAt} timeZone={humanTimezone} />;
}

/** A password that a texted code set, for whoever has a passkey from before: somebody else may have the number. */
export function RecoveryWarning({ at, timeZone }: { at: EpochMs; timeZone: string }) {
  const [isAsking, setAsking] = useState(false);
  const now = useNow(MINUTE_MS);
  return (
    <section ref={handFocusOn} aria-labelledby="recovery-warning" className="card grid gap-3 border-bad p-4">
      <div className="flex items-start gap-3">
        <ShieldAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-bad" />
        <div>
          <h3 id="recovery-warning" className="text-base">
            {m.recovery_title()}
          </h3>
          <p className="text-sm text-soft figures">
            {m.recovery_text({ time: formatTime(at, { timeZone, now }) })}
          </p>
        </div>
      </div>
      <Button variant="danger" className="justify-self-start" onClick={() => setAsking(true)}>
        {m.recovery_undo()}
      </Button>
      <Sheet
        open={isAsking}
        onClose={() => setAsking(false)}
        edge="middle"
        role="alertdialog"
        title={m.recovery_confirm_title()}
      >
        <Confirmation onClose={() => setAsking(false)} />
      </Sheet>
    </section>
  );
}

function Confirmation({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const isUnanswered = useRef(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => undoRecovery(isUnanswered.current),
    onError: (failure) => (isUnanswered.current ||= errorCodeOf(failure) === "network"),
    onSuccess: async () => {
      onClose();
      toast(m.recovery_undone());
      await queryClient.invalidateQueries();
    },
  });
  return (
    <div className="grid gap-4">
      <ul className="grid list-disc gap-2 pl-5 text-soft">
        <li>{m.recovery_does_out()}</li>
        <li>{m.recovery_does_account()}</li>
        <li>{m.recovery_does_password()}</li>
      </ul>
      {error && <FormError title={m.recovery_undo_failed()} hint={errorMessage(error)} />}
      <div className="grid gap-3">
        <Button variant="danger" aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {m.recovery_undo()}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {m.cancel()}
        </Button>
      </div>
    </div>
  );
}
