import { useMutation } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { AuthError } from "../../api/session/auth-error.ts";
import { signOutEverywhere } from "../../api/session/auth.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { SignInOutButton } from "../session/sign-in-out-button.tsx";
import { ProfileCard } from "./profile-card.tsx";

/** Signs out on this device or on all of them. */
export function SignOutCard() {
  const router = useRouter();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => signOutEverywhere(() => router.navigate({ to: "/" })),
  });
  return (
    <ProfileCard title={m.profile_sign_out()}>
      <p className="text-soft">{m.profile_sign_out_text()}</p>
      {error && (
        <FormError
          title={m.profile_sign_out_everywhere_failed()}
          hint={isNetworkError(error) ? m.problem_network() : undefined}
        />
      )}
      <div className="flex flex-wrap gap-3">
        <SignInOutButton />
        <Button aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {m.profile_sign_out_everywhere()}
        </Button>
      </div>
    </ProfileCard>
  );
}

function isNetworkError(error: Error): boolean {
  return error instanceof AuthError && error.code === "NetworkError";
}
