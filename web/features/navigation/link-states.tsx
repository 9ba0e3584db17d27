import { LinkIcon } from "lucide-react";
import type { ReactNode } from "react";
import { errorCodeOf, errorRequestId } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { LoadErrorPanel } from "../errors/load-error.tsx";
import { errorText } from "../language/error-messages.ts";

type UnreadLinkProps = {
  /** Why it could not be read; null while it is being read. */
  error: Error | null;
  onRetry: () => void;
  /** Shown for a link that expired or was used. */
  expired: ReactNode;
  /** The height of the part that is being loaded. */
  className: string;
};

/** In place of what a link leads to: while it is read, where that failed, and where the link has ended. */
export function UnreadLink({ error, onRetry, expired, className }: UnreadLinkProps) {
  if (error && errorCodeOf(error) === "undo_expired") return expired;
  if (error) {
    return (
      <LoadErrorPanel onRetry={onRetry} title={m.undo_load_failed()} requestId={errorRequestId(error)}>
        {errorText(error)}
      </LoadErrorPanel>
    );
  }
  return (
    <Pending>
      <output>
        <span className="sr-only">{m.loading()}</span>
        <Skeleton className={`rounded-card ${className}`} />
      </output>
    </Pending>
  );
}

/** A link that expired, was used or is none, with the way on. */
export function ExpiredLink({ actions, children }: { actions: ReactNode; children: ReactNode }) {
  return (
    <StatusPanel Icon={LinkIcon} role="alert" title={m.problem_undo_expired()} actions={actions}>
      {children}
    </StatusPanel>
  );
}
