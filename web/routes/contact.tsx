import { createFileRoute } from "@tanstack/react-router";
import { ContactCard } from "../features/support/contact-list.tsx";
import { m } from "../messages/messages.js";
import { TitledPage } from "../ui/titled-page.tsx";

export const Route = createFileRoute("/contact")({ component: ContactPage });

/** The support contacts, and advice on what to write. */
function ContactPage() {
  return (
    <TitledPage width="reading" title={m.support_title()} text={m.support_text()}>
      <ContactCard />
    </TitledPage>
  );
}
