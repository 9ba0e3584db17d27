import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import type { User } from "../../../worker/contract/user.ts";
import { readExport } from "../../api/leaving.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { sayProblem } from "../language/problem-words.ts";
import { Card } from "./card.tsx";
import { DeleteAccount } from "./delete-account.tsx";

/** Taking everything along, or leaving for good. */
export function YourData({ user }: { user: User }) {
  const [isLeaving, setLeaving] = useState(false);
  const { mutate, isPending, error } = useMutation({ mutationFn: readExport, onSuccess: saveFile });
  return (
    <Card title={m.profile_data()}>
      <p className="text-soft">{m.profile_export_text()}</p>
      {error && <Problem title={m.profile_export_failed()} hint={sayProblem(error)} />}
      <div className="flex flex-wrap gap-3">
        <Button aria-disabled={isPending} onClick={() => isPending || mutate()}>
          <Download aria-hidden className="size-4.5" />
          {isPending ? m.profile_exporting() : m.profile_export()}
        </Button>
        <Button look="danger" onClick={() => setLeaving(true)}>
          {m.profile_delete()}
        </Button>
      </div>
      <Sheet
        open={isLeaving}
        onClose={() => setLeaving(false)}
        edge="middle"
        role="alertdialog"
        title={m.profile_delete_title()}
      >
        <DeleteAccount user={user} onCancel={() => setLeaving(false)} />
      </Sheet>
    </Card>
  );
}

/** Hands a file to the browser's downloads. */
function saveFile({ name, text }: { name: string; text: string }): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
