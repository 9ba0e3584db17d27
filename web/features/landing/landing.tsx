import { Link } from "@tanstack/react-router";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { ContactAdvice, ContactList } from "../support/contact-list.tsx";
import { FIRST_QUESTIONS, QuestionList } from "../faqs/question-list.tsx";
import { Features, Modes, Steps, Promises, LandingSection } from "./sections.tsx";
import { Hero } from "./hero.tsx";
import { Pricing } from "./pricing.tsx";

/** The landing page, for visitors who have never heard of the product. */
export function Landing() {
  return (
    <main id="content" tabIndex={-1} className="outline-none">
      <Hero />
      <div className="border-y border-line bg-raised">
        <Steps />
      </div>
      <Modes />
      <Features />
      <div className="border-y border-line bg-raised">
        <Pricing />
      </div>
      <Promises />
      <LandingSection id="faqs" title={m.faqs_title()} isBeside>
        <QuestionList questions={FIRST_QUESTIONS} />
        <p>
          <Link to="/faqs" className={buttonClass("plain")}>
            {m.landing_all_questions()}
          </Link>
        </p>
      </LandingSection>
      <LandingSection id="contact" title={m.support_title()} text={m.support_text()} isBeside>
        <div className="card p-5">
          <ContactList />
          <ContactAdvice />
        </div>
      </LandingSection>
    </main>
  );
}
