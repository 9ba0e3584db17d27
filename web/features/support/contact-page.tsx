import { m } from "../../messages/messages.js";
import { TitledPage } from "../../ui/titled-page.tsx";
import { ContactList, ContactAdvice } from "./contact-list.tsx";

/** The support contacts, and advice on what to write. */
export function ContactPage() {
  return (
    <TitledPage width="reading" title={m.support_title()} text={m.support_text()}>
      <div className="card p-5">
        <ContactList />
        <ContactAdvice />
      </div>
    </TitledPage>
  );
}
