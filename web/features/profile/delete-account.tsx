import { useRouter } from "@tanstack/react-router";
import { toast } from "sonner";
import type { User } from "../../../worker/contract/user.ts";
import { eraseDriver } from "../../api/leaving.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { createTyped, useTyped } from "../account/typed.ts";
import { useForm } from "../account/use-form.ts";
import { sayDateTime } from "../language/format.ts";
import { sayProblem } from "../language/problem-words.ts";
import { endAccount } from "./end-account.ts";

const DIGITS = 4;

const typed = createTyped({ digits: "" });

/** Says what goes and what stays, and asks for something that nobody types by mistake. */
export function DeleteAccount({ user, onCancel }: { user: User; onCancel: () => void }) {
  const { digits } = useTyped(typed);
  const router = useRouter();
  const { form, isPending, faults, problem, onSubmit, clear } = useForm({
    fields: ["digits"],
    check: () => ({
      digits: digits === user.phoneNumber.slice(-DIGITS) ? undefined : m.profile_delete_wrong(),
    }),
    send: async () => {
      await eraseDriver();
      // No screen of a driver's may stand any more: it would ask who is signed in.
      await router.navigate({ to: "/" });
      await endAccount().then(
        () => toast(m.profile_deleted()),
        () => toast.error(m.profile_delete_failed(), { description: m.profile_delete_account_left() }),
      );
    },
    explain: (error) => ({ words: { title: m.profile_delete_failed(), hint: sayProblem(error) } }),
  });
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
      <ul className="grid list-disc gap-2 pl-5 text-soft">
        <li>{m.profile_delete_what()}</li>
        {user.goodStanding && (
          <li>
            {m.profile_delete_service({
              until: sayDateTime(user.expirationDateTimestamp, user.humanTimezone),
            })}
          </li>
        )}
        <li>{m.profile_delete_books()}</li>
      </ul>
      <TextField
        label={m.profile_delete_confirm()}
        name="last-digits"
        inputMode="numeric"
        autoComplete="off"
        maxLength={DIGITS}
        value={digits}
        onChange={(digits) => {
          typed.type({ digits });
          clear({ digits });
        }}
        error={faults.get("digits")}
      />
      {problem && <Problem {...problem} />}
      <div className="grid gap-3">
        <Button type="submit" look="danger" aria-disabled={isPending}>
          {isPending ? m.profile_deleting() : m.profile_delete_button()}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {m.cancel()}
        </Button>
      </div>
    </form>
  );
}
