import { Link } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useRef, useState } from "react";
import { useProductName } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useTypedFields } from "../../ui/form/typed-fields.ts";
import { TitledPage } from "../../ui/titled-page.tsx";
import { QuestionList } from "./question-list.tsx";
import { nameInAddress, findQuestions, QUESTIONS } from "./questions.ts";

/** All questions, with a search through them and a way to ask another. */
export function FaqsPage() {
  const product = useProductName();
  const [query, setQuery] = useState("");
  const search = useRef<HTMLElement>(null);
  useTypedFields(search);
  const found = findQuestions(QUESTIONS, { query, product });
  return (
    <TitledPage width="reading" title={m.faqs_title()} text={m.faqs_lead()}>
      <search ref={search} className="grid gap-2">
        <label className="relative block">
          <span className="sr-only">{m.faqs_search()}</span>
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-3 size-5 -translate-y-1/2 text-soft"
          />
          <input
            type="search"
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            placeholder={m.faqs_search()}
            className="min-h-12 w-full rounded-field border border-edge bg-raised pr-3 pl-11"
          />
        </label>
        <output className="text-sm text-soft">
          {query.trim() && m.faqs_found({ count: found.length, total: QUESTIONS.length })}
        </output>
      </search>
      {found.length > 0 && <QuestionList questions={found} onToggle={nameInAddress} />}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {m.faqs_more()}
        <Link to="/contact" className={buttonClass("plain")}>
          {m.nav_contact()}
        </Link>
      </p>
    </TitledPage>
  );
}
