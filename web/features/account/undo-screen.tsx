import { useQuery, useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useSelector, createStore } from "@tanstack/react-store";
import { CheckCircle2, LinkIcon } from "lucide-react";
import { useEffect } from "react";
import { errorCodeOf, errorRequestId } from "../../api/client/request-error.ts";
import { undoQuery, undoChange } from "../../api/queries/undo.ts";
import { m } from "../../messages/messages.js";
import { buttonClass, Button } from "../../ui/button.tsx";
import { Pending } from "../../ui/pending.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { LoadErrorPanel } from "../errors/load-error.tsx";
import { errorText, errorMessage } from "../language/error-messages.ts";
import { changeLocale } from "../language/locale.ts";
import type { UndoResponse } from "../../../worker/contract/account/undo.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { FormError } from "../../ui/form-error.tsx";
import { useNow } from "../../ui/use-now.ts";
import { DEVICE_TIME_ZONE, formatTime, formatUntil } from "../language/format.ts";

const CHANGE_LABELS = {
  phone: m.undo_changed_phone,
  password: m.undo_changed_password,
  factors: m.undo_changed_factors,
  passkeys: m.undo_changed_passkeys,
  other: m.undo_changed_other,
} satisfies Record<UndoResponse["kind"], () => string>;

/** The link that was opened, in memory only. Outlives a change of language, which remounts the screen. */
type UndoState = {
  token: string | null;
  /** Whether the page has taken on the language of the text. */
  hasLanguage: boolean;
  isDone: boolean;
};

const undoStore = createStore<UndoState>({ token: null, hasLanguage: false, isDone: false });

const TOKEN = /^[\w-]{22}$/;

/** Where the link in a text leads that told of a changed account. Its token is read once and dropped from the address. */
export function UndoScreen({ hash }: { hash: string }) {
  const navigate = useNavigate();
  const token = useSelector(undoStore, (state) => state.token);
  useEffect(() => {
    if (hash === "") return;
    openUndoLink(hash);
    void navigate({ to: "/undo", hash: "", replace: true });
  }, [hash, navigate]);
  return (
    <TitledPage width="form" title={m.undo_title()}>
      {token === null ? hash === "" && <Expired /> : <Change token={token} />}
    </TitledPage>
  );
}

function Change({ token }: { token: string }) {
  const { data: change, error, refetch } = useQuery(undoQuery(token));
  const hasLanguage = useSelector(undoStore, (state) => state.hasLanguage);
  const isDone = useSelector(undoStore, (state) => state.isDone);
  useEffect(() => {
    if (!change || hasLanguage) return;
    updateUndo({ hasLanguage: true });
    changeLocale(change.language);
  }, [change, hasLanguage]);
  if (change && isDone) return <Done phoneEnd={change.phoneEnd} />;
  if (change) return <UndoOffer token={token} change={change} />;
  if (error && errorCodeOf(error) === "undo_expired") return <Expired />;
  if (error) {
    return (
      <LoadErrorPanel
        onRetry={() => void refetch()}
        title={m.undo_load_failed()}
        requestId={errorRequestId(error)}
      >
        {errorText(error)}
      </LoadErrorPanel>
    );
  }
  return (
    <Pending>
      <output>
        <span className="sr-only">{m.loading()}</span>
        <Skeleton className="h-72 rounded-card" />
      </output>
    </Pending>
  );
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
  return (
    <StatusPanel Icon={LinkIcon} role="alert" title={m.problem_undo_expired()} actions={actions}>
      {m.undo_expired_text()}
    </StatusPanel>
  );
}

/** The change, the effect of undoing it, and the button that does it. */
function UndoOffer({ token, change }: { token: string; change: UndoResponse }) {
  const now = useNow(MINUTE_MS);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => undoChange(token),
    onSuccess: () => updateUndo({ isDone: true }),
    // Without a connection it says so, and doesn't wait for one.
    networkMode: "always",
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

/** Takes the token of a link. */
function openUndoLink(token: string): void {
  undoStore.setState(() => ({ token: TOKEN.test(token) ? token : null, hasLanguage: false, isDone: false }));
}

function updateUndo(change: Partial<UndoState>): void {
  undoStore.setState((state) => ({ ...state, ...change }));
}
