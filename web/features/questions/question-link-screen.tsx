import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Answer, QuestionStatus } from "../../../db/shapes/work/question.ts";
import { QUESTION_TOKEN_LENGTH } from "../../../db/shapes/work/question.ts";
import { atOwnPace } from "../../api/client/full-jitter.ts";
import { answerByLink, questionLinkQuery } from "../../api/queries/questions.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { DEVICE_TIME_ZONE } from "../language/format.ts";
import { ExpiredLink, UnreadLink } from "../navigation/link-states.tsx";
import { LinkStore, useLinkLanguage, useOpenedLink } from "../navigation/opened-link.ts";
import { QuestionChoice } from "./question-choice.tsx";

const links = new LinkStore(QUESTION_TOKEN_LENGTH);

/** How often the page asks what became of a yes, and how many times at most. */
const ASK_EVERY_MS = 2_000;
const MOST_ASKED = 30;
const UNDER_WAY: readonly (QuestionStatus | undefined)[] = ["approved", "accepting"];

/** The question of a text, and its two answers. Opening it changes nothing, so that a program that previews links can't. */
export function QuestionLinkScreen({ hash }: { hash: string }) {
  const link = useOpenedLink(links, { hash, to: "/q" });
  return (
    <TitledPage width="form" title={m.question_page_title()}>
      {link.status === "opened" && <LinkedQuestion key={link.token} token={link.token} />}
      {(link.status === "malformed" || link.status === "none") && <Ended />}
    </TitledPage>
  );
}

function LinkedQuestion({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery({
    ...questionLinkQuery(token),
    refetchInterval: ({ state: { data: latest, dataUpdateCount, errorUpdateCount } }) =>
      UNDER_WAY.includes(latest?.question.state.status) && dataUpdateCount + errorUpdateCount < MOST_ASKED
        ? atOwnPace(ASK_EVERY_MS)
        : false,
  });
  useLinkLanguage(links, token, data?.language);
  const answering = useMutation({
    mutationFn: (answer: Answer) => answerByLink(token, answer),
    onSuccess: (answered) => queryClient.setQueryData(questionLinkQuery(token).queryKey, answered),
  });
  if (!data)
    return <UnreadLink error={error} onRetry={() => void refetch()} expired={<Ended />} className="h-48" />;
  return (
    <section className="card p-5" aria-live="polite" data-testid="question">
      <QuestionChoice
        question={data.question}
        timeZone={DEVICE_TIME_ZONE}
        isPending={answering.isPending}
        error={answering.error}
        unsent={m.question_unsent()}
        onAnswer={(answer) => answering.mutate(answer)}
      />
    </section>
  );
}

function Ended() {
  const actions = (
    <Link to="/flex/dashboard" className={buttonClass("plain")}>
      {m.dashboard_title()}
    </Link>
  );
  return <ExpiredLink actions={actions}>{m.question_other()}</ExpiredLink>;
}
