import { useQuery, useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useSelector, createStore } from "@tanstack/react-store";
import { CheckCircle2 } from "lucide-react";
import { useRef } from "react";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { undoQuery, undoChange } from "../../api/queries/owner-links.ts";
import { m } from "../../messages/messages.js";
import { buttonClass, Button } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { ExpiredLink, UnreadLink } from "../navigation/link-states.tsx";
import { LinkStore, useLinkLanguage, useOpenedLink } from "../navigation/opened-link.ts";
import type { UndoResponse } from "../../../worker/contract/account/security.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { FormError } from "../../ui/notices.tsx";
import { useNow } from "../../ui/use-now.ts";
import { DEVICE_TIME_ZONE, formatTime, formatUntil } from "../language/format.ts";

const CHANGE_LABELS = {
  phone: m.undo_changed_phone,
  password: m.undo_changed_password,
  factors: m.undo_changed_factors,
  passkeys: m.undo_changed_passkeys,
  other: m.undo_changed_other,
} satisfies Record<UndoResponse["kind"], () => string>;

const links = new LinkStore(22);

/** The link whose change was undone on this page. It is used up, so the server no longer knows it. */
const undoneStore = createStore<string | null>(null);

/** Where the link in a text leads that told of a changed account. */
export function UndoScreen({ hash }: { hash: string }) {
  const link = useOpenedLink(links, { hash, to: "/undo" });
  return (
    <TitledPage width="form" title={m.undo_title()}>
      {(link.status === "none" || link.status === "malformed") && <Expired />}
      {link.status === "opened" && <Change key={link.token} token={link.token} />}
    </TitledPage>
  );
}

function Change({ token }: { token: string }) {
  const { data: change, error, refetch } = useQuery(undoQuery(token));
  const isDone = useSelector(undoneStore, (undone) => undone === token);
  useLinkLanguage(links, token, change?.language);
  if (change && isDone) return <Done phoneEnd={change.phoneEnd} />;
  if (change) return <UndoOffer token={token} change={change} />;
  return <UnreadLink error={error} onRetry={() => void refetch()} expired={<Expired />} className="h-72" />;
}

function Done({ phoneEnd }: { phoneEnd: string }) {
  const actions = (
    <Link to="/forgot-password" className={buttonClass("primary")}>
      {m.undo_done_button()}
    </Link>
  );
  return (
    <output>
      <StatusPanel Icon={CheckCircle2} title={m.undo_done()} actions={actions}>
        {m.undo_done_text({ digits: phoneEnd })}
      </StatusPanel>
    </output>
  );
}

function Expired() {
  const actions = (
    <>
      <Link to="/forgot-password" className={buttonClass("plain")}>
        {m.login_forgot()}
      </Link>
      <Link to="/contact" className={buttonClass("quiet")}>
        {m.nav_contact()}
      </Link>
    </>
  );
  return <ExpiredLink actions={actions}>{m.undo_expired_text()}</ExpiredLink>;
}

/** The change, the effect of undoing it, and the button that does it. */
function UndoOffer({ token, change }: { token: string; change: UndoResponse }) {
  const now = useNow(MINUTE_MS);
  const isUnanswered = useRef(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => undoChange(token, isUnanswered.current),
    onSuccess: () => undoneStore.setState(() => token),
    onError: (failure) => (isUnanswered.current ||= errorCodeOf(failure) === "network"),
  });
  const reading = { timeZone: DEVICE_TIME_ZONE, now };
  const code = error && errorCodeOf(error);
  return (
    <section className="card grid gap-4 p-5">
      <div>
        <h2 className="text-lg">{CHANGE_LABELS[change.kind]()}</h2>
        <p className="text-sm text-soft figures">{formatTime(change.changedAt, reading)}</p>
      </div>
      <p>{m.undo_if_not_you()}</p>
      <ul className="grid list-disc gap-2 pl-5 text-soft">
        <li className="figures">{m.undo_does_number({ digits: change.phoneEnd })}</li>
        {change.kind === "passkeys" && <li>{m.undo_does_passkeys()}</li>}
        <li>{m.undo_does_sign_out()}</li>
        <li>{m.undo_does_password()}</li>
      </ul>
      {error && (
        <FormError
          title={m.undo_failed()}
          hint={code === "conflict" ? m.undo_conflict() : errorMessage(error)}
        />
      )}
      <Button variant="primary" aria-disabled={isPending} onClick={() => isPending || mutate()}>
        {isPending ? m.undo_sending() : m.undo_button()}
      </Button>
      <p className="text-sm text-soft">
        {m.undo_if_you()} {m.undo_until({ until: formatUntil(change.expiresAt, reading) })}
      </p>
    </section>
  );
}
