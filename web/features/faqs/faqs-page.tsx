import { Link } from "@tanstack/react-router";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { QuestionList } from "./question-list.tsx";
import { QUESTIONS } from "./questions.ts";

/** All questions, with a way to ask another. */
export function FaqsPage() {
  return (
    <TitledPage width="reading" title={m.faqs_title()} text={m.faqs_lead()}>
      <QuestionList questions={QUESTIONS} />
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {m.faqs_more()}
        <Link to="/contact" className={buttonClass("plain")}>
          {m.nav_contact()}
        </Link>
      </p>
    </TitledPage>
  );
}
