import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import type { User } from "../../../worker/contract/account/user.ts";
import { fetchExport } from "../../api/queries/account.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { withFreshSignIn } from "../account/fresh-sign-in-sheet.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { ClosedProfileCard } from "./profile-card.tsx";
import { DeleteAccount } from "./delete-account.tsx";

/** Exports the driver's data or deletes the account. */
export function YourData({ user }: { user: User }) {
  const [isDeleting, setDeleting] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => withFreshSignIn(fetchExport),
    onSuccess: downloadFile,
  });
  return (
    <ClosedProfileCard title={m.profile_data()}>
      <p className="text-soft">{m.profile_export_text()}</p>
      {error && <FormError title={m.profile_export_failed()} hint={errorMessage(error)} />}
      <div className="flex flex-wrap gap-3">
        <Button aria-disabled={isPending} onClick={() => isPending || mutate()}>
          <Download aria-hidden className="size-4.5" />
          {isPending ? m.profile_exporting() : m.profile_export()}
        </Button>
        <Button variant="danger" onClick={() => setDeleting(true)}>
          {m.profile_delete()}
        </Button>
      </div>
      <Sheet
        open={isDeleting}
        onClose={() => setDeleting(false)}
        edge="middle"
        role="alertdialog"
        title={m.profile_delete_title()}
      >
        <DeleteAccount user={user} onCancel={() => setDeleting(false)} />
      </Sheet>
    </ClosedProfileCard>
  );
}

/** Saves a file through the browser's downloads. */
function downloadFile({ name, text }: { name: string; text: string }): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
