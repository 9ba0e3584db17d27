import { m } from "../../messages/messages.js";
import { ReadingPage } from "../../ui/reading-page.tsx";
import { Contacts } from "../frame/contacts.tsx";
import { ContactAdvice } from "./contact-advice.tsx";

/** How to reach people, and what helps them to help. */
export function ContactPage() {
  return (
    <ReadingPage title={m.support_title()} text={m.support_text()}>
      <div className="card p-5">
        <Contacts />
        <ContactAdvice />
      </div>
    </ReadingPage>
  );
}
