import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { CheckCircle2, LinkIcon } from "lucide-react";
import { useEffect } from "react";
import { errorCodeOf, errorRequestId } from "../../api/client/request-error.ts";
import { undoQuery } from "../../api/queries/undo.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { Pending } from "../../ui/pending.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { LoadErrorPanel } from "../errors/load-error.tsx";
import { errorText } from "../language/error-messages.ts";
import { changeLocale } from "../language/locale.ts";
import { UndoOffer } from "./undo-offer.tsx";
import { openUndoLink, undoStore, updateUndo } from "./undo-store.ts";

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
