import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { useEffect } from "react";
import { userQuery } from "../../api/queries/user.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { useProductName } from "../../api/queries/use-config.ts";
import { useUser } from "../session/use-user.ts";
import { PendingActions } from "./pending-actions.tsx";

/** For a driver whose account is already linked. */
export function AlreadyLinked() {
  const queryClient = useQueryClient();
  const product = useProductName();
  const email = useUser().flexEmail ?? "";
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: userQuery.queryKey });
  }, [queryClient]);
  const actions = (
    <>
      <Link to="/flex" className={buttonClass("primary")}>
        {m.linking_linked_go_on()}
      </Link>
      <Link to="/flex/profile" className={buttonClass("plain")}>
        {m.linking_linked_profile()}
      </Link>
    </>
  );
  return (
    <div className="mx-auto grid max-w-md gap-4">
      <StatusPanel Icon={CircleCheck} heading="h1" title={m.linking_linked_title()} actions={actions}>
        {email !== "" && m.linking_linked_text({ email, product })} {m.linking_linked_unlink()}
      </StatusPanel>
      <PendingActions />
    </div>
  );
}
