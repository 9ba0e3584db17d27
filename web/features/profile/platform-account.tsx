import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { toast } from "sonner";
import type { User } from "../../../worker/contract/user.ts";
import { unlinkPlatform } from "../../api/leaving.ts";
import { userQuery, warehousesQuery } from "../../api/queries.ts";
import { setupQuery } from "../../api/setup.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { sayProblem } from "../language/problem-words.ts";
import { Card } from "./card.tsx";

/** The account that blocks are captured with. */
export function PlatformAccount({ user }: { user: User }) {
  const [isAsking, setAsking] = useState(false);
  const { proxyInstalled: isLinked, flexEmail } = user;
  return (
    <Card title={m.profile_platform()}>
      <p className="wrap-anywhere">{sayState(user)}</p>
      <div className="flex flex-wrap gap-3">
        <Link to="/flex/login" className={buttonClass(isLinked ? "plain" : "primary")}>
          {isLinked || flexEmail ? m.profile_platform_again() : m.profile_platform_link()}
        </Link>
        {isLinked && (
          <Button look="danger" onClick={() => setAsking(true)}>
            {m.profile_unlink()}
          </Button>
        )}
      </div>
      <Sheet
        open={isAsking}
        onClose={() => setAsking(false)}
        edge="middle"
        role="alertdialog"
        title={m.profile_unlink_title()}
      >
        <Unlink onDone={() => setAsking(false)} />
      </Sheet>
    </Card>
  );
}

function Unlink({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: unlinkPlatform,
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
      {error && <Problem title={m.profile_unlink_failed()} hint={sayProblem(error)} />}
      <div className="grid gap-3">
        <Button look="danger" aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {isPending ? m.profile_unlinking() : m.profile_unlink()}
        </Button>
        <Button look="quiet" onClick={onDone}>
          {m.cancel()}
        </Button>
      </div>
    </div>
  );
}

function sayState({ proxyInstalled, flexEmail }: User): string {
  if (proxyInstalled) return m.profile_platform_linked({ email: flexEmail ?? "" });
  return flexEmail ? m.profile_platform_lost({ email: flexEmail }) : m.profile_platform_none();
}
