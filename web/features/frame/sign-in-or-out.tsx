import { useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { resetLive } from "../../api/live.ts";
import { readDeployment } from "../../api/client.ts";
import { endSession, sessionStore } from "../../api/session.ts";
import { m } from "../../messages/messages.js";
import { Button, ButtonLink } from "../../ui/button.tsx";

/** Leaves, or goes to where one enters. */
export function SignInOrOut() {
  const session = useSelector(sessionStore);
  const queryClient = useQueryClient();
  if (session === undefined) return null;
  if (!session) {
    return (
      <ButtonLink look="plain" href="/login">
        {m.nav_sign_in()}
      </ButtonLink>
    );
  }
  const leave = async () => {
    const { identity } = await readDeployment();
    endSession(identity);
    resetLive();
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "config" });
  };
  return (
    <Button look="quiet" onClick={() => void leave()}>
      {m.nav_sign_out()}
    </Button>
  );
}
