import { Link } from "@tanstack/react-router";
import { FileWarning } from "lucide-react";
import { factToken, SERVED_PARTS } from "../../../worker/contract/served-cases.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { Banner } from "../../ui/notices.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { useLoadedConfig, useProductName } from "../../api/queries/use-config.ts";
import { formatLongDate } from "../language/format.ts";
import { ServedPart } from "../../prerender/served-part.tsx";
import { DaysBackText } from "./days-back.tsx";

/** The terms of service. */
export function TermsPage() {
  const product = useProductName();
  const sections = [
    { id: "service", title: m.terms_service(), text: m.terms_service_text({ product }) },
    { id: "you", title: m.terms_you(), text: m.terms_you_text({ product }) },
    { id: "not", title: m.terms_not(), text: m.terms_not_text({ product }) },
    { id: "promise", title: m.terms_promise(), text: m.terms_promise_text({ product }) },
    { id: "payment", title: m.terms_payment(), text: m.terms_payment_text({ product }) },
    { id: "points", title: m.terms_points(), text: m.terms_points_text({ product }) },
    { id: "privacy", title: m.terms_privacy(), text: m.terms_privacy_text({ product }) },
    { id: "end", title: m.terms_end(), text: m.terms_end_text({ product }) },
    { id: "changes", title: m.terms_changes(), text: m.terms_changes_text({ product }) },
  ];
  return (
    <TitledPage width="reading" title={m.nav_terms()} text={m.terms_lead({ product })}>
      <TermsState />
      <ol className="grid gap-6">
        {sections.map(({ id, title, text }, index) => (
          <li key={id} id={id} className="grid gap-2">
            <h2 className="text-xl">
              {index + 1}. {title}
            </h2>
            {text.split("\n").map((paragraph) => (
              <p key={paragraph} className="max-w-prose">
                {paragraph}
              </p>
            ))}
            {id === "promise" && <DaysBackText className="max-w-prose" />}
            {id === "promise" && (
              <Link to="/health" className={buttonClass("plain", "justify-self-start")}>
                {m.health_title()}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </TitledPage>
  );
}

/** From when they hold; without a day, that nobody has reviewed them for this deployment. */
function TermsState() {
  // A config that an earlier page stored says nothing of it.
  const since = useLoadedConfig()?.termsDate;
  return (
    <ServedPart
      name={SERVED_PARTS.terms}
      cases={() => ({ template: <TemplateNotice />, dated: <Since day={factToken("terms-since")} /> })}
      fallback={null}
    >
      {since === undefined ? null : <KnownState since={since} />}
    </ServedPart>
  );
}

function KnownState({ since }: { since: string | null }) {
  return since === null ? <TemplateNotice /> : <Since day={formatLongDate(Date.parse(since), "UTC")} />;
}

function Since({ day }: { day: string }) {
  return <p className="text-soft">{m.terms_since({ day })}</p>;
}

function TemplateNotice() {
  return <Banner Icon={FileWarning}>{m.terms_template({ product: useProductName() })}</Banner>;
}
