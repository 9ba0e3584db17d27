import { ChevronDown } from "lucide-react";
import { useId, type ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { errorCodeOf } from "../../api/client/request-error.ts";
import type { SubmitIssue } from "../../ui/form/submit-options.ts";
import { errorMessage } from "../language/error-messages.ts";
import { fieldMessages } from "../language/field-messages.ts";

/** A section of the profile. */
export function ProfileCard({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="card grid grid-cols-1 content-start gap-4 p-5">
      <h2 id={titleId} className="text-lg">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** A section of the profile that is rarely needed: closed until it is tapped, with its present state in its title's line. */
export function ClosedProfileCard({
  title,
  state,
  children,
}: {
  title: string;
  state?: string;
  children: ReactNode;
}) {
  return (
    <details className="group card">
      <summary className="flex min-h-11 items-center justify-between gap-4 rounded-card px-5 py-4 [&::-webkit-details-marker]:hidden">
        <span className="min-w-0">
          <h2 className="text-lg">{title}</h2>
          {state && <span className="block text-sm text-soft wrap-anywhere">{state}</span>}
        </span>
        <ChevronDown
          aria-hidden
          className="size-5 shrink-0 text-soft transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <div className="grid grid-cols-1 gap-4 px-5 pb-5">{children}</div>
    </details>
  );
}

/** The foot of a profile form, once something was changed: undo, and the button that saves. */
export function ProfileSaveRow({
  isChanged,
  onUndo,
  children,
}: {
  isChanged: boolean;
  onUndo: () => void;
  children: ReactNode;
}) {
  if (!isChanged) return null;
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <Button variant="quiet" onClick={onUndo}>
        {m.save_undo()}
      </Button>
      {children}
    </div>
  );
}

/** Why a part of the profile could not be saved. */
export function describeProfileError(error: unknown): SubmitIssue {
  const message = { title: m.profile_failed(), hint: `${errorMessage(error)} ${m.profile_kept()}` };
  const isSignedOut = errorCodeOf(error) === "unauthenticated";
  return { message, fields: fieldMessages(error), ...(isSignedOut && { toast: m.profile_sign_in_again() }) };
}
