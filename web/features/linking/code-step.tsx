import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useState } from "react";
import type { SetupAnswer } from "../../../worker/contract/setup.ts";
import { codeOf } from "../../api/problem.ts";
import { changeLinking, endOf, sendCode, setupQuery } from "../../api/setup.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { useForm } from "../account/use-form.ts";
import { ContactSupport } from "./contact-support.tsx";
import { sayClock, useSecondsUntil } from "./clock.ts";
import { useLookWhen } from "./use-look-when.ts";
import { LinkingPage } from "./linking-page.tsx";
import { explainLinking, sayWrongCode } from "./linking-words.ts";
import { Resend } from "./resend.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { holdTries, useTries } from "./tries.ts";

const SHORTEST_CODE = 4;
const LONGEST_CODE = 8;

/** The code that the platform sent. `failure`: the latest look at the server came to nothing. */
export function CodeStep({
  code: sent,
  failure,
}: {
  code: Extract<SetupAnswer, { step: "otp" }>;
  failure: unknown;
}) {
  const queryClient = useQueryClient();
  const [code, setCode] = useState("");
  const left = useSecondsUntil(sent.expiresAt);
  const lookAgain = () => queryClient.invalidateQueries({ queryKey: setupQuery.queryKey });
  const { form, isPending, faults, problem, onSubmit, clear } = useForm({
    fields: ["code"],
    check: () => ({ code: codeFault(code) }),
    send: async () => {
      const answer = await sendCode(code);
      queryClient.setQueryData(setupQuery.queryKey, answer);
    },
    explain: (error) => {
      holdTries(error);
      const ended = endOf(error);
      if (ended) changeLinking({ ended });
      if (ended || codeOf(error) === "link_code_expired") void lookAgain();
      const wrong = sayWrongCode(error);
      return wrong ? { words: { title: wrong }, field: "code" } : { words: explainLinking("code", error) };
    },
  });
  useLookWhen(left === 0);
  const { wait, submit } = useTries(onSubmit);
  const change = (typed: string) => {
    setCode(typed);
    clear({ code: typed });
  };
  const { destination } = sent;
  return (
    <LinkingPage
      step="otp"
      title={m.linking_otp_title()}
      text={
        sent.channel === "sms" ? m.linking_otp_sms({ destination }) : m.linking_otp_email({ destination })
      }
    >
      {failure !== null && <Banner Icon={WifiOff}>{m.linking_not_reached()}</Banner>}
      <form ref={form} noValidate onSubmit={submit} className="grid gap-4">
        <CodeField
          label={m.linking_code_label()}
          length={LONGEST_CODE}
          value={code}
          onChange={change}
          error={faults.get("code")}
        />
        <p className={`figures text-sm ${left === 0 ? "font-semibold text-bad" : "text-soft"}`}>
          {left === 0 ? m.linking_code_over() : m.linking_code_expires({ left: sayClock(left) })}
        </p>
        {problem && <Problem {...problem} />}
        <SubmitButton
          wait={wait}
          isPending={isPending}
          name={m.code_button()}
          pendingName={m.code_sending()}
        />
      </form>
      {problem && <ContactSupport />}
      <Resend onSent={() => change("")} />
      <Button look="quiet" onClick={() => changeLinking({ isAnew: true })}>
        {m.linking_anew()}
      </Button>
    </LinkingPage>
  );
}

function codeFault(code: string): string | undefined {
  if (code === "") return m.code_required();
  return code.length < SHORTEST_CODE ? m.linking_code_length() : undefined;
}
