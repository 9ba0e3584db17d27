import { useMutation } from "@tanstack/react-query";
import { AuthError } from "../../api/auth-error.ts";
import { signOutEverywhere } from "../../api/auth.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { SignInOrOut } from "../frame/sign-in-or-out.tsx";
import { Card } from "./card.tsx";

/** Here, or on every device. */
export function SignOut() {
  const { mutate, isPending, error } = useMutation({ mutationFn: signOutEverywhere });
  return (
    <Card title={m.profile_sign_out()}>
      <p className="text-soft">{m.profile_sign_out_text()}</p>
      {error && (
        <Problem
          title={m.profile_sign_out_everywhere_failed()}
          hint={isLost(error) ? m.problem_network() : undefined}
        />
      )}
      <div className="flex flex-wrap gap-3">
        <SignInOrOut />
        <Button aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {m.profile_sign_out_everywhere()}
        </Button>
      </div>
    </Card>
  );
}

function isLost(error: Error): boolean {
  return error instanceof AuthError && error.code === "NetworkError";
}
