import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { toast } from "../../ui/toast.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { unlinkPlatform } from "../../api/queries/account.ts";
import { userQuery } from "../../api/queries/user.ts";
import { warehousesQuery } from "../../api/queries/filters.ts";
import { setupQuery } from "../../api/queries/setup.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { handFocusOn } from "../../ui/hand-focus-on.ts";
import { FormError } from "../../ui/notices.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { withFreshSignIn } from "../account/fresh-sign-in-sheet.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { useMustLink } from "../live/use-live.ts";
import { ProfileCard } from "./profile-card.tsx";

/** The linked delivery-platform account. */
export function PlatformAccountCard({ user }: { user: User }) {
  const [isConfirming, setConfirming] = useState(false);
  const isLinked = !useMustLink();
  const { flexEmail } = user;
  return (
    <ProfileCard title={m.profile_platform()}>
      <p className="wrap-anywhere">{linkStatusMessage(isLinked, flexEmail)}</p>
      <div className="flex flex-wrap gap-3">
        {isLinked ? (
          // Linking another account begins with unlinking this one, as its screen says.
          <Button ref={handFocusOn} variant="danger" onClick={() => setConfirming(true)}>
            {m.profile_unlink()}
          </Button>
        ) : (
          <Link to="/flex/login" className={buttonClass("primary")}>
            {flexEmail ? m.profile_platform_again() : m.profile_platform_link()}
          </Link>
        )}
      </div>
      <Sheet
        open={isConfirming}
        onClose={() => setConfirming(false)}
        edge="middle"
        role="alertdialog"
        title={m.profile_unlink_title()}
      >
        <UnlinkPlatform onDone={() => setConfirming(false)} />
      </Sheet>
    </ProfileCard>
  );
}

/** Asks whether the account shall be unlinked. */
export function UnlinkPlatform({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => withFreshSignIn(unlinkPlatform),
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey: warehousesQuery.queryKey });
      queryClient.removeQueries({ queryKey: setupQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: userQuery.queryKey });
      toast(m.profile_unlinked());
      onDone();
    },
  });
  return (
    <div className="grid gap-5">
      <p className="text-soft">{m.profile_unlink_text()}</p>
      {error && <FormError title={m.profile_unlink_failed()} hint={errorMessage(error)} />}
      <div className="grid gap-3">
        <Button variant="danger" aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {isPending ? m.profile_unlinking() : m.profile_unlink()}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {m.cancel()}
        </Button>
      </div>
    </div>
  );
}

function linkStatusMessage(isLinked: boolean, flexEmail: User["flexEmail"]): string {
  if (isLinked) return m.profile_platform_linked({ email: flexEmail ?? "" });
  return flexEmail ? m.profile_platform_lost({ email: flexEmail }) : m.profile_platform_none();
}
