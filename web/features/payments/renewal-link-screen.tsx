import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { createStore, useSelector } from "@tanstack/react-store";
import { CheckCircle2, LinkIcon } from "lucide-react";
import { useEffect } from "react";
import { errorCodeOf, errorRequestId } from "../../api/client/request-error.ts";
import { endRenewalByLink, renewalLinkQuery } from "../../api/queries/owner-links.ts";
import type { RenewalLinkResponse } from "../../../worker/contract/money/renewal-link.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Pending } from "../../ui/pending.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { LoadErrorPanel } from "../errors/load-error.tsx";
import { errorMessage, errorText } from "../language/error-messages.ts";
import { DEVICE_TIME_ZONE, formatLongDate, formatMoney } from "../language/format.ts";
import { changeLocale } from "../language/locale.ts";
import { formatPlan } from "./payment-labels.ts";
import { formatAgreement } from "./renewal-terms.tsx";

/** The link that was opened, in memory only. Outlives a change of language, which remounts the screen. */
type LinkState = { token: string | null; hasLanguage: boolean };

const linkStore = createStore<LinkState>({ token: null, hasLanguage: false });

const TOKEN = /^[\w-]{38}$/;

/**
 * The terms of renewal, and with the link of a text the button that turns one off. Opening it changes nothing, so that a
 * program that previews links can't. The token is read once and dropped from the address.
 */
export function RenewalLinkScreen({ hash }: { hash: string }) {
  const navigate = useNavigate();
  const token = useSelector(linkStore, (state) => state.token);
  useEffect(() => {
    if (hash === "") return;
    linkStore.setState(() => ({ token: TOKEN.test(hash) ? hash : "", hasLanguage: false }));
    void navigate({ to: "/renewal", hash: "", replace: true });
  }, [hash, navigate]);
  return (
    <TitledPage width="form" title={m.renew_page_title()}>
      {token === null ? hash === "" && <GeneralTerms /> : <LinkedRenewal token={token} />}
    </TitledPage>
  );
}

/** Without a link: what everybody who renews agrees to, and where to turn it off. */
function GeneralTerms() {
  return (
    <section className="card grid gap-4 p-5">
      <p>{m.renew_agree({ money: m.renew_page_cap() })}</p>
      <p className="text-soft">{m.renew_page_how()}</p>
      <Link to="/flex/payments" className={buttonClass("primary")}>
        {m.pay_title()}
      </Link>
    </section>
  );
}

function LinkedRenewal({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({ ...renewalLinkQuery(token), enabled: token !== "" });
  const hasLanguage = useSelector(linkStore, (state) => state.hasLanguage);
  useEffect(() => {
    if (!data || hasLanguage) return;
    linkStore.setState((state) => ({ ...state, hasLanguage: true }));
    changeLocale(data.language);
  }, [data, hasLanguage]);
  if (data) return <Terms token={token} terms={data} onEnded={() => void refetch()} />;
  if (token === "" || (error && errorCodeOf(error) === "undo_expired")) return <Expired />;
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

function Terms({
  token,
  terms,
  onEnded,
}: {
  token: string;
  terms: RenewalLinkResponse;
  onEnded: () => void;
}) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => endRenewalByLink(token),
    onSettled: onEnded,
    // Without a connection it says so, and doesn't wait for one.
    networkMode: "always",
  });
  const { status, plan, capCents, currency, agreedAt } = terms;
  const isOn = status !== "ended";
  return (
    <div className="grid gap-4">
      {!isOn && (
        <output>
          <StatusPanel Icon={CheckCircle2} title={m.renew_off()}>
            {m.renew_page_off_text()}
          </StatusPanel>
        </output>
      )}
      <section className="card grid gap-4 p-5">
        <h2 className="figures text-lg">
          {formatPlan(plan)} · {m.renew_on_unknown({ money: formatMoney(capCents, currency) })}
        </h2>
        <p className="figures">{formatAgreement(terms)}</p>
        <p className="figures text-sm text-soft">
          {m.renew_page_agreed({ date: formatLongDate(agreedAt, DEVICE_TIME_ZONE) })}
        </p>
        {isOn && (
          <>
            {error && <FormError title={m.renew_failed()} hint={errorMessage(error)} />}
            <Button variant="primary" aria-disabled={isPending} onClick={() => isPending || mutate()}>
              {isPending ? m.renew_page_ending() : m.renew_page_end()}
            </Button>
            <p className="text-sm text-soft">{m.renew_page_keeps()}</p>
          </>
        )}
      </section>
    </div>
  );
}

function Expired() {
  const actions = (
    <>
      <Link to="/flex/payments" className={buttonClass("plain")}>
        {m.pay_title()}
      </Link>
      <Link to="/contact" className={buttonClass("quiet")}>
        {m.nav_contact()}
      </Link>
    </>
  );
  return (
    <StatusPanel Icon={LinkIcon} role="alert" title={m.problem_undo_expired()} actions={actions}>
      {m.renew_page_expired_text()}
    </StatusPanel>
  );
}
