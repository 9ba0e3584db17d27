import { m } from "../../messages/messages.js";
import { TitledPage } from "../../ui/titled-page.tsx";
import { ContactCard } from "./contact-list.tsx";

/** The support contacts, and advice on what to write. */
export function ContactPage() {
  return (
    <TitledPage width="reading" title={m.support_title()} text={m.support_text()}>
      <ContactCard />
    </TitledPage>
  );
}
