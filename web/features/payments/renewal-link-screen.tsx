import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CheckCircle2 } from "lucide-react";
import { endRenewalByLink, renewalLinkQuery } from "../../api/queries/owner-links.ts";
import type { RenewalLinkResponse } from "../../../worker/contract/money/renewal-link.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { DEVICE_TIME_ZONE, formatLongDate, formatMoney } from "../language/format.ts";
import { ExpiredLink, UnreadLink } from "../navigation/link-states.tsx";
import { LinkStore, useLinkLanguage, useOpenedLink } from "../navigation/opened-link.ts";
import { formatPlan } from "./payment-labels.ts";
import { formatAgreement } from "./renewal-terms.tsx";

const links = new LinkStore(38);

/**
 * The terms of renewal, and with the link of a text the button that turns one off. Opening it changes nothing, so that a
 * program that previews links can't.
 */
export function RenewalLinkScreen({ hash }: { hash: string }) {
  const link = useOpenedLink(links, { hash, to: "/renewal" });
  return (
    <TitledPage width="form" title={m.renew_page_title()}>
      {link.status === "none" && <GeneralTerms />}
      {link.status === "malformed" && <Expired />}
      {link.status === "opened" && <LinkedRenewal key={link.token} token={link.token} />}
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
  const { data, error, refetch } = useQuery(renewalLinkQuery(token));
  useLinkLanguage(links, token, data?.language);
  const load = () => void refetch();
  if (data) return <Terms token={token} terms={data} onEnded={load} />;
  return <UnreadLink error={error} onRetry={load} expired={<Expired />} className="h-72" />;
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
  });
  const { status, plan, capCents, currency, agreedAt } = terms;
  const isOn = status !== "ended";
  return (
    <div className="grid gap-4">
      <output className="empty:sr-only">
        {!isOn && (
          <StatusPanel Icon={CheckCircle2} title={m.renew_off()}>
            {m.renew_page_off_text()}
          </StatusPanel>
        )}
      </output>
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
  return <ExpiredLink actions={actions}>{m.renew_page_expired_text()}</ExpiredLink>;
}
