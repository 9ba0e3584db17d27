import { useId, type ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.ts";
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

/** The foot of a profile form: undo where something was changed, and the button that saves. */
export function ProfileSaveRow({
  isChanged,
  onUndo,
  children,
}: {
  isChanged: boolean;
  onUndo: () => void;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap justify-end gap-3">
      {isChanged && (
        <Button variant="quiet" onClick={onUndo}>
          {m.save_undo()}
        </Button>
      )}
      {children}
    </div>
  );
}

/** Why a part of the profile could not be saved. */
export function describeProfileError(error: unknown): SubmitIssue {
  // Somebody signed out leaves this screen: a toast is still there where they land.
  if (errorCodeOf(error) === "unauthenticated") toast.error(m.profile_sign_in_again());
  const message = { title: m.profile_failed(), hint: `${errorMessage(error)} ${m.profile_kept()}` };
  return { message, fields: fieldMessages(error) };
}
