import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { errorRequestId } from "../../api/client/request-error.ts";
import { configQuery } from "../../api/queries/user.ts";
import { isOldBrowser } from "../../early/page-root.ts";
import { m } from "../../messages/messages.js";
import { ButtonLink } from "../../ui/button.tsx";
import { Logo } from "../../ui/logo.tsx";
import { ErrorReference } from "./screen-error.tsx";
import { reportError } from "./report-error.ts";
import { useProductName } from "../../api/queries/use-config.ts";

/** Shown where the app shell itself crashed. Its links reload the page, since nothing in the old one can be trusted. */
export function ErrorPage({ error }: { error: unknown }) {
  const product = useProductName();
  const [reportId, setReportId] = useState<string | null>(null);
  const reference = errorRequestId(error) ?? reportId;
  const { legacyUrl, support } = useQuery(configQuery).data ?? {};
  useEffect(() => {
    let isShown = true;
    void reportError("error_page", error).then((id) => isShown && setReportId(id));
    return () => {
      isShown = false;
    };
  }, [error]);
  useEffect(() => {
    document.title = `${m.oops_title()} · ${product}`;
  }, [product]);
  return (
    <main id="content" className="mx-auto grid max-w-xl justify-items-start gap-4 px-4 py-16">
      <Logo name={product} />
      <div role="alert" className="mt-4 grid gap-2">
        <h1 className="text-3xl">{m.oops_title()}</h1>
        <p className="text-lg font-semibold">{m.oops_what()}</p>
        <p className="text-soft">{isOldBrowser() ? m.browser_old() : m.oops_contact()}</p>
        {reference && <ErrorReference id={reference} />}
        {support?.email && (
          <p>
            <a href={`mailto:${support.email}`} className="inline-block py-2.5 underline underline-offset-4">
              {support.email}
            </a>
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        <ButtonLink variant="primary" href="/">
          {m.oops_home()}
        </ButtonLink>
        {legacyUrl && <ButtonLink href={legacyUrl}>{m.oops_legacy()}</ButtonLink>}
      </div>
    </main>
  );
}
